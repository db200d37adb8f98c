// Rows that the ranks of one machine look at together: a block of shared memory, filled by one of
// them, mapped by all, and gone with the last of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gopnet/train.h"

namespace gopnet {

class SharedBlock {
 public:
  // Throws Error if there is not so much memory.
  static std::shared_ptr<SharedBlock> Create(size_t size);
  // One that another process of this machine made. Throws Error if it cannot be seen from here.
  static std::shared_ptr<SharedBlock> Attach(const std::string& name, size_t size);
  ~SharedBlock();
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;

  const std::string& name() const { return name_; }
  char* data() { return data_; }
  size_t size() const { return size_; }

 private:
  SharedBlock(int fd, size_t size, std::string name);
  int fd_;
  char* data_ = nullptr;
  size_t size_;
  std::string name_;  // for others, as long as this one is there
};

// Everything but the features, and how large they are.
std::string PackRest(const TrainData& data);
size_t FeatureBytes(const TrainData& data);
std::string FeaturesAt(const TrainData& data, size_t at, size_t size);  // a part of them
// The data whose features lie in the block.
TrainData UnpackRows(const std::string& rest, std::shared_ptr<SharedBlock> block);

}  // namespace gopnet

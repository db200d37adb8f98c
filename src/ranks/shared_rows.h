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
  // Throws Error, naming the size and the place, if it cannot be had.
  static std::shared_ptr<SharedBlock> Create(const std::string& name, size_t size);
  static std::shared_ptr<SharedBlock> Attach(const std::string& name, size_t size);
  ~SharedBlock();
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;

  char* data() { return data_; }
  size_t size() const { return size_; }
  // Nobody can attach to it any more; it goes when nobody is attached.
  static void Unlink(const std::string& name);

 private:
  SharedBlock(char* data, size_t size) : data_(data), size_(size) {}
  char* data_;
  size_t size_;
};

// Everything but the features, and how large they are.
std::string PackRest(const TrainData& data);
size_t FeatureBytes(const TrainData& data);
void CopyFeatures(const TrainData& data, char* to);
// The data whose features lie in the block.
TrainData UnpackRows(const std::string& rest, std::shared_ptr<SharedBlock> block);

}  // namespace gopnet

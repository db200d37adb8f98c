// Ranks as threads of one process: what MPI does, for tests of everything above it. A rank can be
// cut off as if it had been killed.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "search/comm.h"

namespace gopnet {

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : boxes_(static_cast<size_t>(size)), cut_(boxes_.size()) {}
  std::unique_ptr<Comm> Join(int rank);
  void Cut(int rank);   // from now on nothing comes from it or reaches it
  void Heal(int rank);  // again
  int size() const { return static_cast<int>(boxes_.size()); }

 private:
  class Rank;
  std::mutex mutex_;
  std::vector<std::deque<Message>> boxes_;
  std::vector<bool> cut_;
};

}  // namespace gopnet

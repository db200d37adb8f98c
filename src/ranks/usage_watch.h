// Adds up how the threads of this process spend their time in shared searches.
#pragma once

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "ranks/protocol.h"

namespace gopnet {

class UsageWatch {
 public:
  Usage Take() {  // what came together since it was taken last
    const std::lock_guard lock(mutex_);
    return std::exchange(usage_, {});
  }
  void Add(const Usage& more) {
    const std::lock_guard lock(mutex_);
    usage_.Add(more);
  }

 private:
  std::mutex mutex_;
  Usage usage_;
};

// Of one batch, from its first turn to its end.
class BatchUsage {
 public:
  explicit BatchUsage(UsageWatch& watch) : watch_(watch) {}
  ~BatchUsage() {
    usage_.total = Since(start_) * static_cast<double>(threads_.size());
    watch_.Add(usage_);
  }
  BatchUsage(const BatchUsage&) = delete;
  BatchUsage& operator=(const BatchUsage&) = delete;

  using Clock = std::chrono::steady_clock;
  static double Since(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  }
  void Count(double waiting, double communication, bool unit) {
    const std::lock_guard lock(mutex_);
    threads_.insert(std::this_thread::get_id());
    usage_.units += unit;
    usage_.waiting += waiting;
    usage_.communication += communication;
  }

 private:
  UsageWatch& watch_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::set<std::thread::id> threads_;
  Usage usage_;
};

}  // namespace gopnet

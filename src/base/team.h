// Threads that stay together for many short parallel loops, such as the layers of a training step.
// Results must not depend on which thread runs what. Run is for one caller at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gopnet {

class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls run(task) once for every task in 0 .. tasks - 1, on all threads; returns when all are
  // done. If tasks throw, the exception of the lowest of them is rethrown.
  void Run(size_t tasks, const std::function<void(size_t)>& run);

 private:
  void Work();
  void Take();

  std::vector<std::thread> helpers_;
  std::atomic<uint32_t> round_{0};     // counts calls of Run; helpers wait for the next one
  std::atomic<uint32_t> finished_{0};  // helpers done with this round
  std::atomic<size_t> next_{0};        // task to hand out
  bool stop_ = false;
  size_t tasks_ = 0;
  const std::function<void(size_t)>* run_ = nullptr;
  std::mutex mutex_;  // of what follows
  size_t failed_task_ = 0;
  std::exception_ptr failure_;
};

}  // namespace gopnet

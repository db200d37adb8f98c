// Threads that stay together for many short parallel loops, such as the layers of a training step,
// or for one long one (base/threads.h). Results must not depend on which thread runs what. Run is
// for one caller at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/stop_check.h"

namespace gopnet {

class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls run(task, worker) once for every task in 0 .. tasks - 1, on all threads, numbered from 0;
  // returns when all are done. If tasks throw, the exception of the lowest of them is rethrown; no
  // new task starts once one has thrown. The caller's StopCheck holds for all.
  template <class F>
  void Run(size_t tasks, const F& run) {  // a std::function might allocate
    RunAny(
        tasks,
        [](const void* f, size_t task, int worker) { (*static_cast<const F*>(f))(task, worker); },
        &run);
  }

 private:
  using Call = void (*)(const void*, size_t task, int worker);
  void RunAny(size_t tasks, Call call, const void* run);
  void Work(int worker);
  void Take(int worker);

  std::vector<std::thread> helpers_;
  std::atomic<bool> stop_{false};
  std::atomic<uint32_t> round_{0};  // counts calls of Run; helpers sleep until it changes
  // The round in the upper half, the tasks that nobody has taken yet in the lower one: who takes a
  // task by lowering it knows the round, and that round cannot end before the task is done. A
  // helper that comes late finds nothing to take; nobody waits for it.
  std::atomic<uint64_t> open_{0};
  std::atomic<uint32_t> done_{0};  // tasks of this round
  size_t tasks_ = 0;
  Call call_ = nullptr;
  const void* run_ = nullptr;
  const StopCheck::Check* check_ = nullptr;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // guards failed_task_ and failure_
  size_t failed_task_ = 0;
  std::exception_ptr failure_;
};

}  // namespace gopnet

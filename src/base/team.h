// Threads that stay together for many short parallel loops, such as the layers of a training step.
// Results must not depend on which thread runs what. Run is for one caller at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
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
  template <class F>
  void Run(size_t tasks, const F& run) {  // a std::function might allocate
    RunAny(
        tasks, [](const void* f, size_t task) { (*static_cast<const F*>(f))(task); }, &run);
  }

 private:
  using Call = void (*)(const void*, size_t);
  void RunAny(size_t tasks, Call call, const void* run);
  void Work(uint32_t helper);
  void Take();

  std::vector<std::thread> helpers_;
  // Counts calls of Run in its upper bits; the lower ones say how many helpers this round is for.
  // In one number, as a helper that sits out may see a round only when the next has begun.
  std::atomic<uint32_t> round_{0};
  std::atomic<uint32_t> finished_{0};  // helpers done with this round
  std::atomic<size_t> next_{0};        // task to hand out
  std::atomic<bool> stop_{false};
  size_t tasks_ = 0;
  Call call_ = nullptr;
  const void* run_ = nullptr;
  std::mutex mutex_;  // of what follows
  size_t failed_task_ = 0;
  std::exception_ptr failure_;
};

}  // namespace gopnet

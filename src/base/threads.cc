#include "base/threads.h"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/stop_check.h"

namespace gopnet {

void ParallelFor(size_t tasks, int threads,
                 const std::function<void(size_t task, int worker)>& run) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  size_t failed_task = 0;
  std::exception_ptr failure;
  const auto work = [&](int worker) {
    for (size_t task; !failed && (task = next++) < tasks;) {
      try {
        run(task, worker);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure || task < failed_task) {
          failure = std::current_exception();
          failed_task = task;
        }
        failed = true;
      }
    }
  };
  const StopCheck::Check* check = StopCheck::Current();
  const auto help = [&](int worker) {
    StopCheck::HandOn(check);
    work(worker);
  };
  std::vector<std::thread> helpers;
  const int count = std::min<int>(threads, static_cast<int>(tasks));
  try {
    helpers.reserve(static_cast<size_t>(std::max(count, 1)));
    for (int worker = 1; worker < count; ++worker) helpers.emplace_back(help, worker);
  } catch (const std::exception&) {  // no more threads to be had: fewer do the same work
  }
  work(0);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

int ThreadCount(int requested) {
  if (requested > 0) return requested;
#if defined(__linux__)
  cpu_set_t allowed;  // what taskset, a container or a batch system leaves to this process
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string CoreMask() {
  std::string mask;
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return mask;
  for (size_t core = 0; core < CPU_SETSIZE; ++core) mask += CPU_ISSET(core, &allowed) ? '1' : '0';
  mask.erase(mask.find_last_of('1') + 1);
#endif
  return mask;
}

}  // namespace gopnet

#include "base/threads.h"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/team.h"

namespace gopnet {

void ParallelFor(size_t tasks, int threads,
                 const std::function<void(size_t task, int worker)>& run) {
  Team(static_cast<int>(std::min(static_cast<size_t>(std::max(threads, 1)), tasks)))
      .Run(tasks, run);
}

std::thread StartThread(std::function<void()> run) try {
  return std::thread(std::move(run));
} catch (const std::system_error& e) {
  throw Stopped(Join("cannot start a thread: ", e.code().message()));
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

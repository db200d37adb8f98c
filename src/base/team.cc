#include "base/team.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace gopnet {
namespace {

// A loop of a training step takes some ten microseconds; falling asleep and waking up takes as
// long. So a thread looks again and again for a while before it sleeps.
void WaitWhile(std::atomic<uint32_t>& value, uint32_t old) {
  for (int look = 0; look < 4000; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}

constexpr uint32_t kHelperBits = 12;
constexpr uint32_t kHelpers = (1u << kHelperBits) - 1;  // at most

}  // namespace

Team::Team(int threads) {
  const auto helpers = std::min(static_cast<uint32_t>(std::max(threads, 1)) - 1, kHelpers);
  try {
    for (uint32_t i = 0; i < helpers; ++i) helpers_.emplace_back([this, i] { Work(i); });
  } catch (const std::system_error&) {  // no more threads to be had: fewer do the same work
  }
}

Team::~Team() {
  stop_ = true;
  round_ = round_ + (1u << kHelperBits);
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::Work(uint32_t helper) {
  for (uint32_t seen = 0;;) {
    WaitWhile(round_, seen);
    seen = round_;
    if (stop_) return;
    if (helper >= (seen & kHelpers)) continue;  // a round of few tasks
    Take();                                     // this round cannot end without this helper
    ++finished_;
    finished_.notify_one();
  }
}

void Team::Take() {
  for (size_t task; (task = next_++) < tasks_;) {
    try {
      call_(run_, task);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || task < failed_task_) {
        failure_ = std::current_exception();
        failed_task_ = task;
      }
    }
  }
}

void Team::RunAny(size_t tasks, Call call, const void* run) {
  tasks_ = tasks;
  call_ = call;
  run_ = run;
  next_ = 0;
  const auto wanted =
      static_cast<uint32_t>(std::min(helpers_.size(), tasks > 0 ? tasks - 1 : size_t{0}));
  if (wanted > 0) {
    finished_ = 0;
    round_ = (round_ | kHelpers) + 1 + wanted;
    round_.notify_all();
  }
  Take();
  for (uint32_t done; wanted > 0 && (done = finished_) < wanted;) WaitWhile(finished_, done);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace gopnet

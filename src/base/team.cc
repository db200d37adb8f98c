#include "base/team.h"

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

}  // namespace

Team::Team(int threads) {
  try {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { Work(); });
  } catch (const std::system_error&) {  // no more threads to be had: fewer do the same work
  }
}

Team::~Team() {
  stop_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::Work() {
  for (uint32_t seen = 0;;) {
    WaitWhile(round_, seen);
    ++seen;
    if (stop_) return;
    Take();
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
  if (helpers_.empty() || tasks < 2) {
    Take();
  } else {
    finished_ = 0;
    ++round_;
    round_.notify_all();
    Take();
    const auto all = static_cast<uint32_t>(helpers_.size());
    for (uint32_t done; (done = finished_) < all;) WaitWhile(finished_, done);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace gopnet

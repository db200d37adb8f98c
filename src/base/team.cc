#include "base/team.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

namespace gopnet {
namespace {

// A loop of a training step takes some ten microseconds; falling asleep and waking up takes as
// long. So a thread looks again for about that time, then lets others run, then sleeps.
void WaitWhile(std::atomic<uint32_t>& value, uint32_t old) {
  for (int look = 0; look < 300; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
    if (look >= 200) {
      std::this_thread::yield();
    } else {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) {
  try {
    helpers_.reserve(static_cast<size_t>(std::max(threads, 1)));
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this, i] { Work(i); });
  } catch (const std::exception&) {  // no more threads to be had: fewer do the same work
  }
}

Team::~Team() {
  stop_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::Work(int worker) {
  for (uint32_t seen = 0;;) {
    WaitWhile(round_, seen);
    seen = round_;
    if (stop_) return;
    Take(worker);
  }
}

void Team::Take(int worker) {
  for (uint64_t open = open_; (open & 0xFFFFFFFFu) > 0;) {
    const bool skip = failed_;  // asked before the task is taken: then a lower one has failed
    if (!open_.compare_exchange_weak(open, open - 1)) continue;
    const size_t tasks =
        tasks_;  // the round, and these members with it, may change once all are done
    const size_t task = tasks - static_cast<size_t>(open & 0xFFFFFFFFu);  // the first ones first
    try {
      StopCheck::HandOn(check_);
      if (!skip) call_(run_, task, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || task < failed_task_) {
        failure_ = std::current_exception();
        failed_task_ = task;
      }
      failed_ = true;
    }
    if (++done_ == tasks) done_.notify_one();
    open = open_;
  }
}

void Team::RunAny(size_t tasks, Call call, const void* run) {
  assert(tasks <= 0xFFFFFFFFu);  // open_ has 32 bits for them
  tasks_ = tasks;
  call_ = call;
  run_ = run;
  check_ = StopCheck::Current();
  failed_ = false;
  done_ = 0;
  const uint64_t round = round_ + 1;
  open_ = round << 32 | tasks;
  round_ = static_cast<uint32_t>(round);
  for (size_t wake = 0; wake + 1 < tasks && wake < helpers_.size(); ++wake) round_.notify_one();
  Take(0);
  for (uint32_t done; (done = done_) < tasks;) WaitWhile(done_, done);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace gopnet

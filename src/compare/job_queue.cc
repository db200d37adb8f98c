#include "compare/job_queue.h"

#include <algorithm>
#include <numeric>

namespace gopnet {

JobQueue::JobQueue(std::vector<Job> jobs, int threads)
    : jobs_(std::move(jobs)), begun_(jobs_.size()), order_(jobs_.size()), threads_(threads) {
  std::vector<double> weight(jobs_.size());  // with what waits for it
  for (size_t i = 0; i < jobs_.size(); ++i) {
    begun_[i] = jobs_[i].done;
    weight[i] += jobs_[i].cost;
    if (jobs_[i].after && !jobs_[i].done) weight[*jobs_[i].after] += jobs_[i].cost;
  }
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::ranges::stable_sort(order_, std::ranges::greater(), [&](size_t i) { return weight[i]; });
}

std::optional<JobQueue::Handout> JobQueue::Next(bool wait) {
  std::unique_lock lock(mutex_);
  for (;; changed_.wait(lock)) {
    const auto waits = [&](size_t i) { return !begun_[i]; };
    if (stopped_ || std::ranges::none_of(order_, waits)) return std::nullopt;
    const auto ready =
        std::ranges::find_if(order_, [&](size_t i) { return waits(i) && !Blocked(i); });
    if (ready != order_.end()) {
      begun_[*ready] = true;
      return Handout{*ready, Threads()};
    }
    if (!wait) return std::nullopt;
  }
}

bool JobQueue::Finished() {
  const std::lock_guard lock(mutex_);
  return stopped_ || std::ranges::all_of(jobs_, &Job::done);
}

void JobQueue::Done(size_t job) {
  const std::lock_guard lock(mutex_);
  jobs_[job].done = true;
  changed_.notify_all();
}

std::vector<Job> JobQueue::jobs() {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

void JobQueue::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool JobQueue::Blocked(size_t job) const {
  return jobs_[job].after && !jobs_[*jobs_[job].after].done;
}

// An equal share of the cores for all that run or could.
int JobQueue::Threads() const {
  int jobs = 0;
  for (size_t i = 0; i < jobs_.size(); ++i) jobs += !jobs_[i].done && !Blocked(i);
  return std::max(1, threads_ / std::max(jobs, 1));
}

}  // namespace gopnet

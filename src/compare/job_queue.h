// Hands out jobs to workers: the heaviest first, those that wait for another when it is done, and
// more threads a job when there are fewer jobs than cores. Any thread may call at any time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

namespace gopnet {

struct Job {
  double cost = 0;
  std::optional<size_t> after = {};  // index of the job that has to be done before
  bool done = false;
};

class JobQueue {
 public:
  struct Handout {
    size_t job;
    int threads;
  };
  JobQueue(std::vector<Job> jobs, int threads);

  // None: all have begun, or Stop; or, if it is not to wait, there is none that can begin now.
  std::optional<Handout> Next(bool wait = true);
  void Done(size_t job);
  bool Finished();          // all are done, or Stop
  void Stop();              // no job begins any more
  std::vector<Job> jobs();  // as they are now

 private:
  bool Blocked(size_t job) const;
  int Threads() const;

  std::vector<Job> jobs_;
  std::vector<bool> begun_;
  std::vector<size_t> order_;  // the heaviest first
  int threads_;
  bool stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace gopnet

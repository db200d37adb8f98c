// Writes a run's files behind the back of training, in the order in which it was asked to, on a
// thread of its own: no candidate waits for a disk. What is appended is handed to the system at
// once, so that it outlives the program, and is on the disk half a second later, so that it
// outlives the machine.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gopnet {

class RunWriter {
 public:
  // `sync` makes durable what tasks have appended.
  explicit RunWriter(std::function<void()> sync);
  ~RunWriter();  // does what is left to do, and keeps silent about failures
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  // `bytes` is what the task holds in memory; waits while there is too much of it. A task that only
  // serves to resume the run is not done any more once the run is finished.
  // With a name, the task takes the place of one of that name that comes last and waits still.
  enum class For { kRecord, kResume };
  void Enqueue(For purpose, size_t bytes, std::function<void()> task, const std::string& name = "");
  // Waits until all is done and durable; throws what went wrong.
  void Flush();
  // The run is finished: does what is left to do for the record and stops, without waiting for a
  // disk and whatever went wrong. What is added afterwards (word of a rank that came late) is
  // dropped.
  void Finish();
  // Something went wrong; nothing is written any more.
  bool failed() const;

 private:
  struct Task {
    For purpose;
    std::string name;
    size_t bytes;
    std::function<void()> run;
  };
  void Stop(bool finished);
  void Work();
  void RunTask(std::unique_lock<std::mutex>& lock, const std::function<void()>& task);

  std::function<void()> sync_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  size_t bytes_ = 0;
  bool dirty_ = false;  // appended, not durable
  bool busy_ = false;
  bool flush_ = false;
  bool stop_ = false;
  bool finished_ = false;
  std::exception_ptr failure_;
  bool threaded_ = false;  // else tasks are done by those who add them
  std::thread thread_;
};

}  // namespace gopnet

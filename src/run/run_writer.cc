#include "run/run_writer.h"

#include <chrono>

namespace gopnet {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kSyncEvery{500};
constexpr size_t kMostBytes = size_t{256} << 20;

}  // namespace

RunWriter::RunWriter(std::function<void()> sync) : sync_(std::move(sync)) {
  try {
    thread_ = std::thread([this] { Work(); });
    threaded_ = true;
  } catch (const std::exception&) {  // no thread to be had: whoever asks waits for the disk
  }
}

RunWriter::~RunWriter() { Stop(false); }
void RunWriter::Finish() { Stop(true); }

void RunWriter::Stop(bool finished) {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    finished_ = finished_ || finished;
    if (finished)
      std::erase_if(tasks_, [](const Task& task) { return task.purpose == For::kResume; });
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RunWriter::Enqueue(For purpose, size_t bytes, std::function<void()> task,
                        const std::string& name) {
  std::unique_lock lock(mutex_);
  if (!threaded_) {
    changed_.wait(lock, [&] { return !busy_; });
    if (!finished_) RunTask(lock, task);
    if (!finished_) RunTask(lock, sync_);
    return changed_.notify_all();
  }
  if (!name.empty() && !tasks_.empty() && tasks_.back().name == name) {
    bytes_ -= tasks_.back().bytes;
    tasks_.pop_back();
  }
  changed_.wait(lock, [&] { return tasks_.empty() || bytes_ + bytes <= kMostBytes; });
  if (failure_ || finished_) return;
  bytes_ += bytes;
  tasks_.push_back({purpose, name, bytes, std::move(task)});
  changed_.notify_all();
}

void RunWriter::Flush() {
  std::unique_lock lock(mutex_);
  flush_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return failure_ || (tasks_.empty() && !busy_ && !dirty_); });
  flush_ = false;
  if (failure_) std::rethrow_exception(failure_);
}

bool RunWriter::failed() const {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

// Runs it without the lock. After a failure nothing more is written: what is on disk stays as it
// is.
void RunWriter::RunTask(std::unique_lock<std::mutex>& lock, const std::function<void()>& task) {
  if (failure_) return;
  busy_ = true;
  lock.unlock();
  std::exception_ptr failure;
  try {
    task();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  busy_ = false;
  failure_ = failure;
}

void RunWriter::Work() {
  std::unique_lock lock(mutex_);
  Clock::time_point due = Clock::now();  // of the next sync
  for (;;) {
    const auto wanted = [&] { return !tasks_.empty() || stop_ || (flush_ && dirty_); };
    if (dirty_) {
      changed_.wait_until(lock, due, wanted);
    } else {
      changed_.wait(lock, wanted);
    }
    if (!tasks_.empty()) {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      if (!dirty_) due = Clock::now() + kSyncEvery;
      dirty_ = true;
      RunTask(lock, task.run);
      bytes_ -= task.bytes;
    }
    const bool now = flush_ || stop_ || Clock::now() >= due;
    if (finished_) dirty_ = false;  // the system will write it
    if (dirty_ && now && (tasks_.empty() || Clock::now() >= due)) {
      RunTask(lock, sync_);
      dirty_ = false;
    }
    changed_.notify_all();
    if (stop_ && tasks_.empty() && !dirty_) return;
  }
}

}  // namespace gopnet

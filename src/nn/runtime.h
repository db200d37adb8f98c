// What a training run carries along: threads, the observer, and the history that grows with it.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

#include "gopnet/error.h"
#include "gopnet/history.h"
#include "nn/network.h"

namespace gopnet {

struct Runtime {
  int threads = 1;
  Observer* observer = nullptr;
  History history;
  // Called with the network so far after every accepted layer, so that an interrupted run keeps it.
  std::function<void(const Network&)> checkpoint;
  std::mutex mutex;

  bool GoOn() const { return observer == nullptr || observer->Continue(); }
  void CheckStop() const {
    if (!GoOn()) throw Stopped("stopped on request");
  }
  void Warn(const std::string& message) {
    const std::lock_guard lock(mutex);
    if (observer != nullptr) observer->OnWarning(message);
  }
};

class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gopnet

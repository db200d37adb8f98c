// How the runs of a comparison tell the caller's observer what they do: one at a time, although
// they go on side by side.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "base/check.h"
#include "gopnet/compare.h"

namespace gopnet {

class CompareWatch {
 public:
  explicit CompareWatch(CompareObserver* observer)
      : observer_(observer != nullptr ? *observer : nobody_) {}

  template <class Call>
  void Tell(const Call& call) {
    const std::lock_guard lock(mutex_);
    call(observer_);
  }
  void Warn(const std::string& who, const std::string& what) {
    const std::lock_guard lock(mutex_);
    // runs repeat each other's warnings; one is enough
    if (warned_.insert(what).second) observer_.OnWarning(Join(who, ": ", what));
  }
  bool GoOn() {
    const std::lock_guard lock(mutex_);
    return !stopping_ && observer_.Continue();
  }
  void Stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }

 private:
  std::mutex mutex_;
  CompareObserver nobody_;
  CompareObserver& observer_;
  std::set<std::string> warned_;
  bool stopping_ = false;
};

// The observer of one run.
class RunObserver : public Observer {
 public:
  RunObserver(CompareWatch& watch, const CompareSystem& system, unsigned long long seed)
      : watch_(watch), system_(system), seed_(seed) {}
  void OnCandidate(const CandidateEvent& event) override {
    watch_.Tell([&](CompareObserver& o) { o.OnCandidate(system_, seed_, event); });
  }
  void OnWarning(const std::string& text) override {
    watch_.Warn(Join(system_.name, " seed ", seed_), text);
  }
  bool Continue() override { return watch_.GoOn(); }

 private:
  CompareWatch& watch_;
  const CompareSystem& system_;
  unsigned long long seed_;
};

}  // namespace gopnet

// What a training run carries along: threads, the observer, and the history that grows with it.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include "base/check.h"
#include "base/stop_check.h"
#include "gopnet/error.h"
#include "gopnet/history.h"
#include "nn/ensemble.h"
#include "ops/operator_set.h"
#include "train/run_store.h"

namespace gopnet {

// Thrown to leave what this process only helps with: a variant of a run, when there is nothing left
// to help with, or the whole run, because it is over.
struct Leave {
  bool run = false;
};

struct Runtime {
  int threads = 1;
  Observer* observer = nullptr;
  std::shared_ptr<RunStore> store = std::make_shared<RunStore>();  // keeps nothing
  bool helps = false;              // another process leads the run; this one shares its searches
  int variant = 0;                 // of the run, if it trains several
  double checkpoint_seconds = 30;  // between two states of fine-tuning
  double later_visits = 0;  // rows x epochs that are known to follow the search, for progress
  size_t wanted_sets = 0;   // of a search that ranks: it ends when no more than so many are left
  std::optional<OperatorSet> upper_set;   // that layers above the first may have, too
  std::optional<OperatorSet> output_set;  // of POP's output layers, if it is known already
  bool tells_layer_epochs = false;        // Observer::OnEpoch also for epochs of a layer
  History history;
  // Called with the network so far after every accepted layer, so that an interrupted run keeps it.
  std::function<void(const Ensemble&)> checkpoint;
  std::mutex mutex;

  bool GoOn() const { return observer == nullptr || observer->Continue(); }
  void CheckStop() const {
    if (!GoOn()) throw Stopped("stopped on request");
  }
  // Before a run ends early: the best network so far, of which layers or epochs are missing.
  void Offer(const Ensemble& net) const {
    const StopCheck none;  // this takes its time
    if (checkpoint) checkpoint(net);
  }
  void LeaveIfHelping() const {
    if (helps) throw Leave();
  }
  void Warn(const std::string& message) {
    const std::lock_guard lock(mutex);
    if (observer != nullptr) observer->OnWarning(message);
  }
};

// Of a training that is part of something: hears its warnings, and says whether it is to go on.
class PartObserver : public Observer {
 public:
  PartObserver(std::function<void(const std::string&)> warn, std::function<bool()> go_on)
      : warn_(std::move(warn)), go_on_(std::move(go_on)) {}
  void OnWarning(const std::string& text) override { warn_(text); }
  bool Continue() override { return go_on_(); }

 private:
  const std::function<void(const std::string&)> warn_;
  const std::function<bool()> go_on_;
};

// Runs `grow`; if that is stopped, `offer` hands on what there is by then.
template <class Grow, class Offer>
auto OfferIfStopped(const Grow& grow, const Offer& offer) {
  try {
    return grow();
  } catch (const Stopped&) {
    try {
      offer();
    } catch (const Stopped&) {  // no room for it: what stopped the run first is told
    }
    throw;
  }
}

// Names a stage of the run for its store: "variant0-layer1-block0-search".
inline std::string StageName(const Runtime& rt, int layer, int block, const char* what) {
  return Join("variant", rt.variant, "-layer", layer, "-block", block, "-", what);
}

class Stopwatch {
 public:
  double Seconds() const { return before_ + std::chrono::duration<double>(Now() - start_).count(); }
  // As if it had run that long already, in an earlier part of the run; never sets it back.
  void CatchUp(double seconds) {
    if (seconds <= Seconds()) return;
    before_ = seconds;
    start_ = Now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::time_point Now() { return Clock::now(); }
  Clock::time_point start_ = Now();
  double before_ = 0;
};

}  // namespace gopnet

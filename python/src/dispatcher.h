// Brings training, which runs on threads of its own, together with the Python thread that asked for
// it. Callbacks and signal handlers run on that thread, one at a time; training waits for a
// callback's answer, but never for the interpreter if nobody listens.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "gopnet/train.h"

namespace gopnet::python {

class Dispatcher : public Observer {
 public:
  // handler(kind, event) is Python's; False as its answer ends training. Of the events, candidates,
  // blocks, layers and epochs come only with `details`.
  Dispatcher(pybind11::object handler, bool details)
      : handler_(std::move(handler)), details_(details) {}

  // Calls `train` on another thread and serves it until it is done. Call with the interpreter
  // locked; rethrows what `train` throws.
  void Run(const std::function<void()>& train);

  bool stopping() const;
  // The exception of a callback or of a signal handler (KeyboardInterrupt) that ended training;
  // None without.
  pybind11::object failure() const { return failure_; }
  const std::optional<TrainResult>& checkpoint() const { return checkpoint_; }

  void OnStart(const History& history) override;
  void OnCandidate(const CandidateEvent& event) override;
  void OnGrid(const GridEvent& event) override;
  void OnMember(const MemberEvent& event) override;
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override;
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override;
  void OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) override;
  void OnCheckpoint(const Model& model, const History& history) override {
    checkpoint_ = TrainResult{model, history};
  }
  void OnWarning(const std::string& message) override;
  bool Continue() override;

 private:
  using MakeEvent = std::function<pybind11::object()>;
  void Tell(const char* kind, const MakeEvent& event);
  void Serve();
  void Answer(const std::function<void()>* question);

  pybind11::object handler_;
  bool details_;
  pybind11::object failure_ = pybind11::none();
  std::exception_ptr broken_;
  std::optional<TrainResult> checkpoint_;
  std::atomic<bool> stop_{false};

  std::mutex one_at_a_time_;
  std::mutex mutex_;  // of what follows
  std::condition_variable asked_, answered_;
  const std::function<void()>* question_ = nullptr;
  bool done_ = false;
};

}  // namespace gopnet::python

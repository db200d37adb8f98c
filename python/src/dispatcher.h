// Connects training, which runs on its own threads, with the Python thread that called it.
// Callbacks and signal handlers run on the Python thread, one at a time. Training waits until a
// callback returns, but never waits for the interpreter if there are no callbacks.
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
  // Which events to pass on; warnings always are.
  struct Wanted {
    bool events = true;
    bool network_epochs = true;  // also the epochs of networks that are averaged: thousands
  };

  // Training ends if handler(kind, event), a Python function, returns False.
  Dispatcher(pybind11::object handler, Wanted wanted)
      : handler_(std::move(handler)), wanted_(wanted) {}

  // Calls `train` on another thread and runs callbacks until it returns. Rethrows its exceptions.
  // The caller must hold the interpreter lock.
  void Run(const std::function<void()>& train);

  bool stopping() const;
  // The exception from a callback or a signal handler (KeyboardInterrupt) that ended training, or
  // None.
  pybind11::object failure() const { return failure_; }
  const std::optional<TrainResult>& checkpoint() const { return checkpoint_; }

  void OnStart(const History& history) override;
  void OnCandidate(const CandidateEvent& event) override;
  void OnGrid(const GridEvent& event) override;
  void OnMember(const MemberEvent& event) override;
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override;
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override;
  void OnEpoch(const EpochEvent& event) override;
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
  const Wanted wanted_;
  pybind11::object failure_ = pybind11::none();
  std::exception_ptr broken_;
  std::optional<TrainResult> checkpoint_;
  std::atomic<bool> stop_{false};

  std::mutex one_at_a_time_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable asked_, answered_;
  const std::function<void()>* question_ = nullptr;
  bool done_ = false;
};

}  // namespace gopnet::python

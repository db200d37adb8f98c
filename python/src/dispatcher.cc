#include "src/dispatcher.h"

#include <chrono>
#include <thread>

#include "src/events.h"
#include "src/without_interpreter.h"

namespace gopnet::python {

namespace py = pybind11;

void Dispatcher::Run(const std::function<void()>& train) {
  const WithoutInterpreter released;
  std::exception_ptr thrown;
  std::thread worker([&] {
    try {
      train();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    asked_.notify_all();
  });
  Serve();
  worker.join();
  if (broken_) std::rethrow_exception(broken_);
  if (thrown) std::rethrow_exception(thrown);
}

void Dispatcher::Serve() {
  constexpr std::chrono::milliseconds kPoll{50};  // the longest delay of a Ctrl-C
  std::unique_lock lock(mutex_);
  while (!done_) {
    asked_.wait_for(lock, kPoll, [&] { return done_ || question_ != nullptr; });
    const auto* question = question_;
    lock.unlock();
    Answer(question);
    lock.lock();
    if (question == nullptr) continue;
    question_ = nullptr;
    answered_.notify_all();
  }
}

// Runs pending signal handlers, then the callback, on the Python thread.
void Dispatcher::Answer(const std::function<void()>* question) {
  const py::gil_scoped_acquire gil;
  if (stop_) return;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (question != nullptr) (*question)();
  } catch (const py::error_already_set& e) {
    failure_ = e.value();
    if (e.trace()) PyException_SetTraceback(failure_.ptr(), e.trace().ptr());
    stop_ = true;
  } catch (...) {  // such as out of memory: the training thread must end nevertheless
    broken_ = std::current_exception();
    stop_ = true;
  }
}

void Dispatcher::Tell(const char* kind, const MakeEvent& event) {
  const std::lock_guard one(one_at_a_time_);
  if (stop_) return;
  const std::function<void()> question = [&] {
    const py::object answer = handler_(kind, event());
    if (answer.is(py::bool_(false))) stop_ = true;
  };
  std::unique_lock lock(mutex_);
  question_ = &question;
  asked_.notify_all();
  answered_.wait(lock, [&] { return question_ == nullptr; });
}

bool Dispatcher::Continue() { return !stop_ && !Running::Closing(); }
bool Dispatcher::stopping() const { return stop_ || Running::Closing(); }

void Dispatcher::OnStart(const History& history) {
  if (wanted_.events) Tell("start", [&] { return ToPython(history); });
}
void Dispatcher::OnCandidate(const CandidateEvent& event) {
  if (wanted_.events) Tell("candidate", [&] { return ToPython(event); });
}
void Dispatcher::OnGrid(const GridEvent& event) {
  if (wanted_.events) Tell("grid", [&] { return ToPython(event); });
}
void Dispatcher::OnMember(const MemberEvent& event) {
  if (wanted_.events) Tell("member", [&] { return ToPython(event); });
}
void Dispatcher::OnBlock(const BlockRecord& block, int layer, int index, bool accepted) {
  if (wanted_.events) Tell("block", [&] { return ToPython(block, layer, index, accepted); });
}
void Dispatcher::OnLayer(const LayerRecord& layer, int index, bool accepted) {
  if (wanted_.events) Tell("layer", [&] { return ToPython(layer, index, accepted); });
}
void Dispatcher::OnEpoch(const EpochEvent& event) {
  const bool wanted = wanted_.events && (event.network == 0 || wanted_.network_epochs);
  if (wanted) Tell("epoch", [&] { return ToPython(event); });
}
void Dispatcher::OnWarning(const std::string& message) {
  Tell("warning", [&] { return py::str(message); });
}

}  // namespace gopnet::python

#include "src/without_interpreter.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace gopnet::python {
namespace {

std::atomic<int> calls{0};
std::atomic<bool> closing{false};

}  // namespace

Running::Running() {
  if (closing) throw std::runtime_error("the interpreter is shutting down");
  ++calls;
}

Running::~Running() { --calls; }

bool Running::Closing() { return closing; }

void Running::Close() {
  closing = true;
  const pybind11::gil_scoped_release release;
  while (calls > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void Running::Bind(pybind11::module_& m) {
  // A forked child has none of its parent's threads.
  pthread_atfork(nullptr, nullptr, [] { calls = 0; });
  m.def("_close", &Running::Close);
  pybind11::module_::import("atexit").attr("register")(m.attr("_close"));
}

}  // namespace gopnet::python

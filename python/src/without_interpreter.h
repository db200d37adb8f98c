// Releases the interpreter lock during long calls, so that other Python threads can run. When the
// process exits, calls on daemon threads are asked to stop, and the exit waits for them: once the
// interpreter is gone, Python kills any thread that asks for the lock, which crashes C++ code.
#pragma once

#include <pybind11/pybind11.h>

namespace gopnet::python {

// Counts a call from before it releases the interpreter lock until it holds the lock again.
class Running {
 public:
  Running();  // throws RuntimeError if the interpreter is shutting down
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  static bool Closing();                   // whether long calls should stop
  static void Close();                     // waits until no call is running
  static void Bind(pybind11::module_& m);  // registers Close with atexit
};

class WithoutInterpreter {
  const Running running_;  // destroyed last
  const pybind11::gil_scoped_release release_;
};

}  // namespace gopnet::python

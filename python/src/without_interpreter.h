// Calls that let other Python threads run. At the end of the process those that are still under way
// on daemon threads are told to stop and waited for: once the interpreter is gone, Python ends a
// thread that asks for it on the spot, and C++ does not survive that.
#pragma once

#include <pybind11/pybind11.h>

namespace gopnet::python {

// Counts a call, from before it lets go of the interpreter until it has it again.
class Running {
 public:
  Running();  // throws RuntimeError if the interpreter is about to end
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  static bool Closing();                   // long calls should come to an end
  static void Close();                     // returns when none is under way
  static void Bind(pybind11::module_& m);  // has it called at the end
};

class WithoutInterpreter {
  const Running running_;  // ends last
  const pybind11::gil_scoped_release release_;
};

}  // namespace gopnet::python

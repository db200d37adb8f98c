// What goes wrong in ways a caller can act on. Programming mistakes are asserts, not exceptions.
#pragma once

#include <stdexcept>
#include <string>

namespace gopnet {

// The caller can fix it: a bad option, file or value. The message names what was given and what is
// wanted, on one line. The command line program exits with code 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file became shorter while it was read; the same again may succeed. The program exits with code
// 2, or with 3 where it trains.
class Changed : public Error {
 public:
  using Error::Error;
};

// The run ended early at the caller's request or for want of space or of a thread; what was
// finished is on disk. The command line program exits with code 3.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gopnet

// Exceptions for failures that a caller can act on. Programming mistakes are asserts instead.
#pragma once

#include <stdexcept>
#include <string>

namespace gopnet {

// A bad option, file or value that the caller can fix. The message is one line that names what was
// found and what is expected. The command line program exits with code 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file became shorter while gopnet read it; a retry may succeed. The program exits with code 2,
// or with 3 during training.
class Changed : public Error {
 public:
  using Error::Error;
};

// The run to resume is already finished.
class AlreadyFinished : public Error {
 public:
  using Error::Error;
};

// The run ended early: the caller asked for it, or disk space, memory or threads ran out. Finished
// work is on disk. The command line program exits with code 3.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gopnet

// Shared by all targets. A target reads bytes as a user's file. It either succeeds or throws an
// Error with one line that names the file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "gopnet/error.h"

namespace gopnet::fuzz {

// A copy of the input in a buffer of its exact size, so that the sanitizer finds reads past the
// end.
class Exact {
 public:
  explicit Exact(std::string_view bytes) : data_(new char[bytes.size()]), size_(bytes.size()) {
    if (size_ > 0) std::memcpy(data_.get(), bytes.data(), size_);
  }
  std::string_view view() const { return {data_.get(), size_}; }
  std::shared_ptr<const void> owner() const { return data_; }

 private:
  std::shared_ptr<char[]> data_;
  size_t size_;
};

// Runs a function that reads the file `name`. An Error must name the file, on one line unless the
// program joins lines itself.
template <class Run>
void ErrorsOnly(const std::string& name, const Run& run, bool one_line = true) {
  try {
    run();
  } catch (const Error& error) {
    const std::string message = error.what();
    const bool lines = one_line && message.find('\n') != std::string::npos;
    if (message.find(name) != std::string::npos && !lines) return;
    std::fprintf(stderr, "not one line that names %s: %s\n", name.c_str(), message.c_str());
    std::abort();
  }
}

// Reads all numbers, so that a sanitizer can check them.
inline void Touch(const float* values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    volatile float seen = values[i];
    (void)seen;
  }
}

}  // namespace gopnet::fuzz

// Little-endian numbers out of untrusted bytes, every access checked.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/check.h"

namespace gopnet {

class ByteReader {
 public:
  // `problem` is the error message if the bytes end too soon; it must outlive the reader.
  ByteReader(std::string_view bytes, const std::string& problem)
      : rest_(bytes), problem_(problem) {}

  std::string_view Take(size_t n) {
    Check(n <= rest_.size(), problem_);
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }
  template <class T>
  T Get() {
    T value;
    std::memcpy(&value, Take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  const std::string& problem_;
};

}  // namespace gopnet

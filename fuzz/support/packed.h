// Mutates the content of a compressed file and compresses it again with correct sizes and
// checksums. Random changes of the compressed bytes rarely pass these checks.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

extern "C" size_t LLVMFuzzerMutate(uint8_t* bytes, size_t size, size_t max_size);

namespace gopnet::fuzz {

inline std::string Mutated(std::string text, size_t most) {
  const size_t size = text.size();
  text.resize(std::max(size, most));
  text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), size, text.size()));
  return text;
}

// Puts `file` back after the byte that chooses how it is read; the old bytes stay if it is too
// long.
inline size_t PutBack(const std::string& file, uint8_t* bytes, size_t size, size_t max_size) {
  if (file.size() + 1 > max_size) return size;
  std::memcpy(bytes + 1, file.data(), file.size());
  return file.size() + 1;
}

}  // namespace gopnet::fuzz

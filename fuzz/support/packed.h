// Mutates what a packed file holds, and packs it again with its right sizes and checksums; bytes
// changed in the packed file itself hardly ever get past these.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

extern "C" size_t LLVMFuzzerMutate(uint8_t* bytes, size_t size, size_t max_size);

namespace gopnet::fuzz {

// window_bits as zlib has them: 31 gzip, -15 raw. Level 0 stores.
inline std::string Deflate(std::string_view text, int window_bits, int level) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

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

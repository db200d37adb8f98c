// Compresses bytes with zlib for tests and fuzzers of decompression.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace gopnet::testing {

constexpr int kGzip = 15 + 16, kRaw = -15;  // zlib's window bits

// Level 0 stores the bytes uncompressed.
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

}  // namespace gopnet::testing

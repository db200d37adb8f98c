#include "data/npy_write.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

// Padded so that the data begin at a multiple of 64, for memory maps.
std::string Header(const std::string& type, const std::string& shape) {
  std::string dict =
      Join("{'descr': '", type, "', 'fortran_order': False, 'shape': ", shape, ", }");
  const size_t before = 10;  // magic, version, length
  dict.append(63 - (before + dict.size()) % 64, ' ').push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dict.size() & 0xff);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

template <class T>
void AppendNumbers(const T* values, size_t count, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

std::string NpyBytes(const Matrix& values, bool flat) {
  const bool one_dimension = flat && values.cols() == 1;
  std::string bytes =
      Header("<f4", one_dimension ? Join("(", values.rows(), ",)")
                                  : Join("(", values.rows(), ", ", values.cols(), ")"));
  AppendNumbers(values.data(), values.rows() * values.cols(), &bytes);
  return bytes;
}

std::string NpyBytes(const std::vector<int64_t>& values) {
  std::string bytes = Header("<i8", Join("(", values.size(), ",)"));
  AppendNumbers(values.data(), values.size(), &bytes);
  return bytes;
}

std::string NpyBytes(const std::vector<std::string>& values) {
  std::vector<std::vector<char32_t>> codes;
  size_t width = 1;
  for (const std::string& value : values) {
    codes.push_back(DecodeUtf8(value));
    width = std::max(width, codes.back().size());
  }
  std::string bytes = Header(Join("<U", width), Join("(", values.size(), ",)"));
  for (std::vector<char32_t>& text : codes) {
    text.resize(width);  // shorter texts end in zeros
    AppendNumbers(text.data(), width, &bytes);
  }
  return bytes;
}

}  // namespace gopnet

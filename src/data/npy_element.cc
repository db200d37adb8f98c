#include "data/npy_element.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "data/utf8.h"

namespace gopnet {
namespace {

template <class To, class From>
To Get(const char* at) {
  From value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<To>(value);
}

// IEEE half precision: 1 sign bit, 5 of exponent, 10 of fraction.
double GetHalf(const char* at) {
  const auto bits = Get<int, uint16_t>(at);
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double value = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  if (exponent == 31) value = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -value : value;
}

template <class To>
To (*IntegerOf(const NpyArray& array))(const char*) {
  const bool is_signed = array.kind == 'i';
  switch (array.width) {
    case 1:
      return is_signed ? Get<To, int8_t> : Get<To, uint8_t>;
    case 2:
      return is_signed ? Get<To, int16_t> : Get<To, uint16_t>;
    case 4:
      return is_signed ? Get<To, int32_t> : Get<To, uint32_t>;
    default:
      return is_signed ? Get<To, int64_t> : Get<To, uint64_t>;
  }
}

bool IsText(const NpyArray& array) { return array.kind == 'U' || array.kind == 'S'; }

}  // namespace

GetNumber NumberGetter(const NpyArray& array) {
  if (IsText(array)) return nullptr;
  if (array.kind != 'f') return IntegerOf<double>(array);
  return array.width == 2 ? GetHalf : array.width == 4 ? Get<double, float> : Get<double, double>;
}

GetInteger IntegerGetter(const NpyArray& array) {
  return IsText(array) || array.kind == 'f' ? nullptr : IntegerOf<int64_t>(array);
}

std::string TextAt(const NpyArray& array, const char* element) {
  if (array.kind == 'S') return {element, strnlen(element, array.width)};
  std::string text;
  for (size_t i = 0; i < array.width; i += 4) {
    const auto code = Get<uint32_t, uint32_t>(element + i);
    if (code == 0) break;  // shorter texts are padded with zeros
    AppendUtf8(code, &text);
  }
  return text;
}

}  // namespace gopnet

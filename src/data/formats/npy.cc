#include "data/formats/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"
#include "data/formats/byte_reader.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are read and written as they lie in memory");

constexpr std::array<std::string_view, 12> kNumberTypes = {"b1", "i1", "i2", "i4", "i8", "u1",
                                                           "u2", "u4", "u8", "f2", "f4", "f8"};
constexpr size_t kMaxHeader = 1 << 16;     // bytes; NumPy itself reads 10,000
constexpr size_t kMaxTextBytes = 1 << 16;  // of one text element
constexpr size_t kShownDimensions = 8;     // in the message about too many

// The text after 'key': in the header, which is a Python dict literal.
std::string_view After(std::string_view header, const char* key, const std::string& source) {
  const size_t at = header.find(Join("'", key, "'"));
  const size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  Check(colon != std::string_view::npos, source, ": .npy header has no '", key, "'");
  header.remove_prefix(colon + 1);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

size_t ParseSize(std::string_view digits, const std::string& source) {
  size_t value = 0;
  Check(ParseNumber(digits, &value), source, ": .npy header: expected an integer, found '",
        Shown(digits), "'");
  return value;
}

void SetType(std::string_view text, const std::string& source, NpyArray* array) {
  const size_t end = text.find('\'', 1);
  Check(text.starts_with('\'') && end != std::string_view::npos && end > 3, source, ": .npy type ",
        Shown(text.substr(0, text.find(", 'fortran_order'"))),
        " is not supported; expected plain numbers or text");
  const std::string_view type = text.substr(1, end - 1);
  Check(type[0] != '>', source, ": .npy type '", Shown(type),
        "' is big-endian; expected little-endian");
  array->kind = type[1];
  const bool is_text = type[1] == 'U' || type[1] == 'S';
  Check(is_text || std::ranges::count(kNumberTypes, type.substr(1)), source, ": .npy type '",
        Shown(type),
        "' is not supported; expected bool, integers, floats of 2 to 8 bytes, U or S text");
  array->width = ParseSize(type.substr(2), source);
  Check(array->width <= kMaxTextBytes, source, ": .npy type '", Shown(type), "' is too wide");
  if (array->kind == 'U') array->width *= 4;
}

void SetShape(std::string_view text, const std::string& source, NpyArray* array) {
  const size_t end = text.find(')');
  Check(text.starts_with('(') && end != std::string_view::npos, source, ": .npy shape is missing");
  text = text.substr(1, end - 1);
  while (array->shape.size() <= kShownDimensions &&
         text.find_first_not_of(' ') != std::string_view::npos) {
    text.remove_prefix(text.find_first_not_of(' '));
    const size_t comma = std::min(text.find(','), text.size());
    array->shape.push_back(ParseSize(text.substr(0, comma), source));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  Check(array->shape.size() == 1 || array->shape.size() == 2, source, ": array has shape ",
        ShapeText(array->shape), "; expected one or two dimensions");
  Check(array->rows() > 0, source, ": has no rows, its shape is ", ShapeText(array->shape));
  Check(array->cols() > 0, source, ": has no columns, its shape is ", ShapeText(array->shape));
}

std::string_view TakeHeader(ByteReader* in, const std::string& source) {
  Check(in->rest().starts_with("\x93NUMPY"), source, ": is not a .npy file");
  in->Take(6);
  const auto version = in->Get<uint8_t>();
  in->Take(1);
  Check(version >= 1 && version <= 3, source, ": .npy version ", int{version},
        " is not supported; expected 1 to 3");
  const size_t length = version == 1 ? in->Get<uint16_t>() : in->Get<uint32_t>();
  Check(length <= kMaxHeader, source, ": .npy header has ", length, " bytes; at most ", kMaxHeader,
        " are allowed");
  return in->Take(length);
}

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

// Padded so that the data begin at a multiple of 64, for memory maps.
std::string Header(const std::string& type, const std::vector<size_t>& shape) {
  std::string dict =
      Join("{'descr': '", type, "', 'fortran_order': False, 'shape': ", ShapeText(shape), ", }");
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

std::string ShapeText(const std::vector<size_t>& shape) {
  std::string text;
  for (const size_t n : shape) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

NpyArray ParseNpy(std::string_view bytes, const std::string& source) {
  const std::string short_header = source + ": .npy header is cut short";
  ByteReader in(bytes, short_header);
  const std::string_view header = TakeHeader(&in, source);
  NpyArray array;
  SetType(After(header, "descr", source), source, &array);
  array.fortran = After(header, "fortran_order", source).starts_with("True");
  SetShape(After(header, "shape", source), source, &array);
  array.data = in.rest();
  const size_t room = array.data.size() / std::max<size_t>(array.width, 1);
  const bool fits = array.rows() <= room / array.cols() &&  // so the product cannot overflow
                    array.rows() * array.cols() * array.width == array.data.size();
  Check(fits, source, ": holds ", array.data.size(),
        " bytes of data, which does not match its shape ", ShapeText(array.shape),
        "; it may be cut short");
  return array;
}

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

std::string NpyBytes(const Matrix& values, bool flat) {
  std::vector<size_t> shape = {values.rows(), values.cols()};
  if (flat && values.cols() == 1) shape.pop_back();
  std::string bytes = Header("<f4", shape);
  AppendNumbers(values.data(), values.rows() * values.cols(), &bytes);
  return bytes;
}

std::string NpyBytes(const std::vector<int64_t>& values) {
  std::string bytes = Header("<i8", {values.size()});
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
  std::string bytes = Header(Join("<U", width), {values.size()});
  for (std::vector<char32_t>& text : codes) {
    text.resize(width);  // shorter texts end in zeros
    AppendNumbers(text.data(), width, &bytes);
  }
  return bytes;
}

}  // namespace gopnet

#include "data/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/check.h"
#include "data/byte_reader.h"
#include "data/field.h"

namespace gopnet {
namespace {

constexpr std::array<std::string_view, 12> kNumberTypes = {"b1", "i1", "i2", "i4", "i8", "u1",
                                                           "u2", "u4", "u8", "f2", "f4", "f8"};
constexpr size_t kMaxHeader = 1 << 16;     // bytes; NumPy itself reads 10,000
constexpr size_t kMaxTextBytes = 1 << 16;  // of one text element

constexpr size_t kShownDimensions = 8;  // in the message about too many

// What follows 'key': in the header, a Python dict literal.
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
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  Check(error == std::errc() && stop == digits.data() + digits.size(), source,
        ": .npy header has a bad number '", Shown(digits), "'");
  return value;
}

void SetType(std::string_view text, const std::string& source, NpyArray* array) {
  const size_t end = text.find('\'', 1);
  Check(text.starts_with('\'') && end != std::string_view::npos && end > 3, source, ": .npy type ",
        Shown(text.substr(0, text.find(", 'fortran_order'"))),
        " given, plain numbers or text are wanted");
  const std::string_view type = text.substr(1, end - 1);
  Check(type[0] != '>', source, ": .npy type '", Shown(type),
        "' is big-endian, little-endian is wanted");
  array->kind = type[1];
  const bool is_text = type[1] == 'U' || type[1] == 'S';
  Check(is_text || std::ranges::count(kNumberTypes, type.substr(1)), source, ": .npy type '",
        Shown(type),
        "' is not known, wanted are bool, integers, floats of 2 to 8 bytes, U or S text");
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
  Check(array->shape.size() == 1 || array->shape.size() == 2, source, ": array of shape ",
        array->ShapeText(), ", one or two dimensions are wanted");
  Check(array->rows() > 0, source, ": has no rows, its shape is ", array->ShapeText());
  Check(array->cols() > 0, source, ": has no columns, its shape is ", array->ShapeText());
}

std::string_view TakeHeader(ByteReader* in, const std::string& source) {
  Check(in->rest().starts_with("\x93NUMPY"), source, ": is not a .npy file");
  in->Take(6);
  const auto version = in->Get<uint8_t>();
  in->Take(1);
  Check(version >= 1 && version <= 3, source, ": .npy version ", int{version},
        ", wanted are 1 to 3");
  const size_t length = version == 1 ? in->Get<uint16_t>() : in->Get<uint32_t>();
  Check(length <= kMaxHeader, source, ": .npy header of ", length, " bytes, at most ", kMaxHeader,
        " are wanted");
  return in->Take(length);
}

}  // namespace

std::string NpyArray::ShapeText() const {
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
  Check(fits, source, ": holds ", array.data.size(), " bytes of data, its shape ",
        array.ShapeText(), " wants another number; is it cut short?");
  return array;
}

}  // namespace gopnet

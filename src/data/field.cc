#include "data/field.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "data/utf8.h"

namespace gopnet {

std::string_view TrimSpaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

template <class T>
FieldKind ParseField(std::string_view field, T* value) {
  field = TrimSpaces(field);  // quotes may have kept some
  *value = std::numeric_limits<T>::quiet_NaN();
  if (field.empty() || field == "?" || field == "NA") return FieldKind::kMissing;
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  const char* end = field.data() + field.size();
  auto [stop, error] = std::from_chars(field.data(), end, *value);
  if (error == std::errc::result_out_of_range) {
    long double wide = std::numeric_limits<long double>::infinity();  // tells tiny from huge
    std::from_chars(field.data(), end, wide);
    *value = static_cast<T>(wide);
    error = std::errc();
  }
  if (error != std::errc() || stop != end) return FieldKind::kText;
  if (std::isnan(*value)) return FieldKind::kMissing;
  return std::isinf(*value) ? FieldKind::kInfinite : FieldKind::kNumber;
}

std::string Shown(std::string_view text) {
  constexpr size_t kMost = 60;
  std::string shown;
  size_t count = 0;
  for (const char32_t code : DecodeUtf8(text.substr(0, 4 * kMost + 4))) {
    if (count++ == kMost) return shown + "...";
    AppendUtf8(code < ' ' || code == 0x7f ? U' ' : code, &shown);
  }
  return shown;
}

template FieldKind ParseField<float>(std::string_view, float*);
template FieldKind ParseField<double>(std::string_view, double*);

}  // namespace gopnet

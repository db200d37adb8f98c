#include "data/csv_text.h"

#include <charconv>

namespace gopnet {
namespace {

template <class... Form>
void AppendChars(std::string* csv, Form... form) {
  char digits[32];
  csv->append(digits, std::to_chars(digits, digits + sizeof digits, form...).ptr);
}

}  // namespace

void AppendQuoted(std::string_view text, std::string* csv) {
  *csv += '"';
  for (const char c : text) csv->append(c == '"' ? 2 : 1, c);
  *csv += '"';
}

void AppendCell(std::string_view text, std::string* csv) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos && !text.empty() &&
                     text.front() != ' ' && text.back() != ' ';
  plain ? static_cast<void>(*csv += text) : AppendQuoted(text, csv);
}

void AppendNumber(float value, std::string* csv) { AppendChars(csv, value); }
void AppendNumber(double value, std::string* csv) { AppendChars(csv, value); }

void AppendValue(double value, int digits, std::string* csv) {
  if (digits == 0) return AppendNumber(static_cast<float>(value), csv);
  AppendChars(csv, value, std::chars_format::general, digits);
}

}  // namespace gopnet

#include "data/csv_text.h"

#include <charconv>
#include <cmath>

#include "base/names.h"

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

std::string SheetText(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != text.npos;
  double number = 0;
  const bool plain = ParseNumber(text.substr(text.starts_with('+') ? 1 : 0), &number);
  return std::string(formula && !(plain && std::isfinite(number)) ? "'" : "").append(text);
}

void AppendNumber(float value, std::string* csv) { AppendChars(csv, value); }
void AppendNumber(double value, std::string* csv) { AppendChars(csv, value); }

void AppendValue(double value, int digits, std::string* csv) {
  if (digits == 0) return AppendNumber(static_cast<float>(value), csv);
  AppendChars(csv, value, std::chars_format::general, digits);
}

}  // namespace gopnet

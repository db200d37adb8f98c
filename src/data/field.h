// Parses one field of a text file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

enum class FieldKind { kNumber, kMissing, kInfinite, kText };

// Reads a field without spaces around it. "", "?", "NA" and "nan" are missing (value NaN); a number
// too large for T is infinite, one too small is 0.
template <class T>
FieldKind ParseField(std::string_view field, T* value);

inline FieldKind KindOf(std::string_view field) {
  double ignored;
  return ParseField(field, &ignored);
}

// 95 % of the fields decide the kind of a column.
inline bool IsMost(size_t part, size_t whole) {
  return static_cast<double>(part) >= 0.95 * static_cast<double>(whole);
}

// How the numbers of a column are written.
struct NumberStyle {
  char decimal = '.';
  std::string_view unit = {};  // "12%" or "12 kg" is 12; by "h:mm" or "h:mm:ss" 9:15 is 9.25
};

// Reads a field of a column of numbers: as ParseField does, but also numbers with a decimal comma,
// thousands separators ("1,234.5", "1 234"), a currency sign, a minus of another kind, "(5)" for -5
// or, if the style has one, a unit; and words that people write where a number is not known
// ("n.a.", "NULL", "-") are missing. A unit or a currency alone is text.
template <class T>
FieldKind ParseNumberField(std::string_view field, NumberStyle style, T* value);

inline FieldKind KindOf(std::string_view field, NumberStyle style) {
  double ignored;
  return ParseNumberField(field, style, &ignored);
}

// The text after the digits of a field that begins like a number: "kg" of "12 kg", "%" of "5%";
// "h:mm" or "h:mm:ss" for a time or duration.
std::string_view UnitOf(std::string_view field);
// A number in whatever unit it has.
inline bool IsNumber(std::string_view field, char decimal) {
  return KindOf(field, {decimal, UnitOf(field)}) == FieldKind::kNumber;
}
// The sign of the currency before or after a number, one for each currency, or nothing.
std::string_view CurrencyOf(std::string_view field);  // also of the sign or word alone
// A field without the signs of a currency, parentheses and a unit around its number.
std::string_view WithoutSigns(std::string_view field, std::string_view unit);

// A number with `separator` between groups of three digits: 1,234,567.
bool HasThousands(std::string_view field, char separator);
// A number with that decimal sign, and something after it: 1,5.
bool HasDecimal(std::string_view field, char decimal);

std::string_view TrimSpaces(std::string_view text);  // spaces and tabs
std::string_view TrimBlanks(std::string_view text);  // also those that do not break a line
// An error value of a spreadsheet, such as #N/A or #DIV/0!.
bool IsSheetError(std::string_view field);
// A field of a target that holds none, also among texts.
bool IsNoTarget(std::string_view field);
// A comment above a table: text that begins with #, but neither a header nor a spreadsheet error.
bool IsComment(std::string_view text);

// A field for messages: one line of UTF-8, shortened if it is long.
std::string Shown(std::string_view text);

std::string SomeQuoted(const std::vector<std::string>& texts);  // "'a', 'b' and 3 more"

}  // namespace gopnet

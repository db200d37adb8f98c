#include "data/field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/names.h"
#include "data/dates.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

// Words for an unknown number, in lower case.
constexpr std::string_view kBlankWords[] = {
    "n.a.",   "n.a",   "n/a",     "na",      "null", "none", "nil", "-",    "--", "---",
    ".",      "*",     "missing", "unknown", "<na>", "nat",  "\\n", "n.d.", "nd", "not available",
    "\u2013", "\u2014"};
constexpr std::string_view kSheetErrors[] = {"#n/a",  "#value!", "#ref!", "#div/0!",
                                             "#num!", "#null!",  "#name?"};

// Written for a minus by spreadsheets and typesetters.
constexpr std::string_view kMinuses[] = {"\u2212", "\u2013"};

// Notations of currencies, each with the sign that messages use.
constexpr std::pair<std::string_view, std::string_view> kCurrencies[] = {
    {"$", "$"},        {"\u20ac", "\u20ac"}, {"\u00a3", "\u00a3"}, {"\u00a5", "\u00a5"},
    {"EUR", "\u20ac"}, {"USD", "$"},         {"GBP", "\u00a3"}};

// In the order of a message: blanks of several widths may stand between groups of digits.
constexpr std::string_view kBlanks[] = {" ", "\u00a0", "\u202f", "'", "_"};

bool IsBlankWord(std::string_view field) {
  if (field.size() > 13) return false;
  return std::ranges::count(kBlankWords, Lowered(field)) > 0 || IsSheetError(field);
}

bool Drop(std::string_view sign, std::string_view* field) {
  if (field->starts_with(sign)) {
    *field = TrimBlanks(field->substr(sign.size()));
  } else if (field->ends_with(sign)) {
    *field = TrimBlanks(field->substr(0, field->size() - sign.size()));
  } else {
    return false;
  }
  return true;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits, one to three and then groups of three, without what stands between the groups; nothing
// if the field is not of that kind. What follows the groups is kept.
std::string WithoutGroups(std::string_view field, std::string_view separator) {
  std::string plain;
  size_t at = field.starts_with('-') || field.starts_with('+') ? 1 : 0;
  if (at == 1 && field[0] == '-') plain = "-";
  const size_t first = at;
  while (at < field.size() && IsDigit(field[at])) ++at;
  if (at == first || at - first > 3) return "";
  if (field[first] == '0' && (separator == "," || separator == ".")) return "";  // 0,234
  plain += field.substr(first, at - first);
  bool grouped = false;
  while (field.substr(at).starts_with(separator)) {
    at += separator.size();
    for (int k = 0; k < 3; ++k, ++at) {
      if (at >= field.size() || !IsDigit(field[at])) return "";
      plain += field[at];
    }
    grouped = true;
  }
  if (!grouped || (at < field.size() && IsDigit(field[at]))) return "";
  return plain.append(field.substr(at));
}

// Takes what makes a number negative from around it: a minus, or (5) as accountants write.
bool TakeMinus(std::string_view* field) {
  if (field->size() > 2 && field->starts_with('(') && field->ends_with(')')) {
    const std::string_view inner = TrimSpaces(field->substr(1, field->size() - 2));
    if (inner.starts_with('-') || inner.starts_with('+') || inner.starts_with('(')) return false;
    *field = inner;
    return true;
  }
  for (const std::string_view minus : {std::string_view("-"), kMinuses[0], kMinuses[1]}) {
    if (!field->starts_with(minus) || field->substr(minus.size()).starts_with('+')) continue;
    *field = field->substr(minus.size());
    return true;
  }
  return false;
}

// Removes signs and separators from a number; other text stays unchanged.
std::string Plain(std::string_view field, NumberStyle style) {
  const bool negative = TakeMinus(&field);
  field = WithoutSigns(field, style.unit);
  std::string text = (negative ? "-" : "") + std::string(field);
  for (const std::string_view separator : kBlanks) {
    if (std::string plain = WithoutGroups(text, separator); !plain.empty()) text = plain;
  }
  const std::string_view other = style.decimal == '.' ? "," : ".";
  if (std::string plain = WithoutGroups(text, other); !plain.empty()) {
    text = plain;
  } else if (style.decimal == ',' && text.find('.') != std::string::npos) {
    return "x";  // not a number: a decimal point instead of a comma
  }
  if (style.decimal == ',' && std::count(text.begin(), text.end(), ',') == 1)
    text[text.find(',')] = '.';
  return text;
}

// As in "h:mm" and "h:mm:ss", the hours without a limit: a time of day or a duration. Parts that
// another field of the column has not may mean something else.
constexpr std::string_view kClockUnits[] = {"h:mm", "h:mm:ss"};

bool ParseClock(std::string_view field, std::string_view unit, double* hours) {
  const auto colons = [](std::string_view text) { return std::ranges::count(text, ':'); };
  return unit.starts_with(kClockUnits[0]) && colons(field) == colons(unit) &&
         TakeClock(&field, 9999, hours) && field.empty();
}

}  // namespace

std::string_view TrimSpaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string_view TrimBlanks(std::string_view text) {
  constexpr std::string_view kNoBreak[] = {"\u00a0", "\u202f"};
  for (size_t before = text.size() + 1; before != text.size();) {
    before = text.size();
    text = TrimSpaces(text);
    for (const std::string_view blank : kNoBreak) {
      if (text.starts_with(blank)) text.remove_prefix(blank.size());
      if (text.ends_with(blank)) text.remove_suffix(blank.size());
    }
  }
  return text;
}

std::string_view UnitOf(std::string_view field) {
  constexpr size_t kLongest = 12;
  field = TrimSpaces(field);
  double ignored;
  for (const std::string_view unit : kClockUnits) {
    if (ParseClock(field, unit, &ignored)) return unit;
  }
  const bool digit = !field.empty() && field.find_first_of("0123456789") <= 4;  // after a sign
  const size_t last = field.find_last_of("0123456789");
  if (!digit || last == std::string_view::npos) return {};
  const std::string_view unit = TrimBlanks(field.substr(last + 1));
  const auto belongs = [](char c) {  // a letter, also of other alphabets, or as in "km/h"
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0 || c == '%' ||
           c == '/';
  };
  return unit.size() <= kLongest && std::ranges::all_of(unit, belongs) ? unit : std::string_view();
}

std::string_view CurrencyOf(std::string_view field) {
  if (field.empty() || (IsDigit(field.front()) && IsDigit(field.back()))) return {};
  TakeMinus(&field);
  for (const auto& [written, sign] : kCurrencies) {
    if (Drop(written, &field)) return sign;
  }
  return {};
}

std::string_view WithoutSigns(std::string_view field, std::string_view unit) {
  field = TrimBlanks(field);
  if (!unit.empty() && field.ends_with(unit))
    field = TrimBlanks(field.substr(0, field.size() - unit.size()));
  for (const auto& currency : kCurrencies) {
    if (Drop(currency.first, &field)) break;
  }
  return field;
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
    long double wide =
        std::numeric_limits<long double>::infinity();  // 0 for tiny, infinite for huge
    std::from_chars(field.data(), end, wide);
    *value = static_cast<T>(wide);
    error = std::errc();
  }
  if (error != std::errc() || stop != end) return FieldKind::kText;
  if (std::isnan(*value)) return FieldKind::kMissing;
  return std::isinf(*value) ? FieldKind::kInfinite : FieldKind::kNumber;
}

template <class T>
FieldKind ParseNumberField(std::string_view field, NumberStyle style, T* value) {
  field = TrimSpaces(field);
  if (style.decimal == '.') {
    const FieldKind kind = ParseField(field, value);
    if (kind != FieldKind::kText) return kind;
  }
  if (double hours; ParseClock(field, style.unit, &hours)) {
    *value = static_cast<T>(hours);
    return FieldKind::kNumber;
  }
  if (field.empty() || IsBlankWord(field)) return ParseField("", value);
  const std::string plain = Plain(field, style);
  const FieldKind kind = ParseField(plain, value);
  return plain.empty() ? FieldKind::kText : kind;  // a unit or a sign alone
}

bool HasThousands(std::string_view field, char separator) {
  const std::string plain = WithoutGroups(TrimSpaces(field), {&separator, 1});
  return !plain.empty() && KindOf(plain) == FieldKind::kNumber;
}

bool HasDecimal(std::string_view field, char decimal) {
  for (const std::string_view blank : kBlanks) {
    if (const std::string plain = WithoutGroups(field, blank); !plain.empty())
      return HasDecimal(plain, decimal);
  }
  const size_t at = field.find(decimal);
  if (at == std::string_view::npos || at + 1 == field.size()) return false;
  if (decimal == ',' && field.find('.') < at) {  // 1.234,5
    return field.find(',', at + 1) == std::string_view::npos &&
           HasThousands(field.substr(0, at), '.') && IsDigit(field[at + 1]);
  }
  std::string text(field);
  text[at] = '.';
  return text.find(',') == std::string::npos && KindOf(text) == FieldKind::kNumber;
}

bool IsSheetError(std::string_view field) {
  return std::ranges::count(kSheetErrors, Lowered(field)) > 0;
}

bool IsNoTarget(std::string_view field) {
  return KindOf(field) == FieldKind::kMissing || IsSheetError(TrimSpaces(field));
}

bool IsComment(std::string_view text) {
  if (!text.starts_with('#')) return false;
  if (text.size() > 1 && std::string_view(",;\t|").find(text[1]) != std::string_view::npos)
    return false;
  const std::string start = Lowered(text.substr(0, 8));
  return std::ranges::none_of(kSheetErrors,
                              [&](std::string_view error) { return start.starts_with(error); });
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

std::string SomeQuoted(const std::vector<std::string>& texts) {
  constexpr size_t kMost = 5;
  std::vector<std::string> shown;
  for (const std::string& text : texts) shown.push_back("'" + Shown(text) + "'");
  return JoinSome(shown, kMost, ", ");
}

template FieldKind ParseField<float>(std::string_view, float*);
template FieldKind ParseField<double>(std::string_view, double*);
template FieldKind ParseNumberField<float>(std::string_view, NumberStyle, float*);
template FieldKind ParseNumberField<double>(std::string_view, NumberStyle, double*);

}  // namespace gopnet

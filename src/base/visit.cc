#include "base/visit.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "base/names.h"

namespace gopnet {
namespace {

[[noreturn]] void BadValue(const Field& field, const std::string& text, const std::string& wanted,
                           const std::string& hint = "") {
  Fail("parameter ", field.name, ": '", text, "' given, ", wanted, " wanted", hint);
}

template <class T>
T ParseNumber(const Field& field, const std::string& text, const char* kind) {
  T value{};
  const std::string trimmed = Trim(text);
  const char* end = trimmed.data() + trimmed.size();
  const auto result = std::from_chars(trimmed.data(), end, value);
  const std::string range = RangeText(field);
  const std::string wanted = Join(kind, range.empty() ? "" : " ", range);
  if (trimmed.empty() || result.ec != std::errc() || result.ptr != end)
    BadValue(field, text, wanted);
  const auto x = static_cast<double>(value);
  if (!std::isfinite(x) || x < field.min || x > field.max || (field.below_max && x >= field.max)) {
    BadValue(field, text, wanted);
  }
  return value;
}

std::vector<std::string> ParseItems(const Field& field, const std::string& text) {
  std::string list = Trim(text);
  if (list.size() >= 2 && list.front() == '[' && list.back() == ']')
    list = list.substr(1, list.size() - 2);
  std::vector<std::string> items = SplitList(list);
  if (items.empty()) BadValue(field, text, "a list with at least one item");
  if (std::find(items.begin(), items.end(), "") != items.end())
    BadValue(field, text, "a list without empty items");
  return items;
}

void CheckChoice(const Field& field, const std::string& text) {
  if (field.choices.empty()) return;
  if (std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end()) return;
  BadValue(field, text, "one of " + JoinList(field.choices, ", "), DidYouMean(text, field.choices));
}

template <class T, class F>
std::string FormatList(const std::vector<T>& values, const F& format) {
  std::vector<std::string> items;
  std::transform(values.begin(), values.end(), std::back_inserter(items), format);
  return JoinList(items);
}

}  // namespace

void ParseValue(const Field& f, const std::string& text, int& value) {
  value = ParseNumber<int>(f, text, "a whole number");
}
void ParseValue(const Field& f, const std::string& text, uint64_t& value) {
  value = ParseNumber<uint64_t>(f, text, "a whole number >= 0");
}
void ParseValue(const Field& f, const std::string& text, double& value) {
  value = ParseNumber<double>(f, text, "a number");
}
void ParseValue(const Field& f, const std::string& text, bool& value) {
  if (text != "true" && text != "false") BadValue(f, text, "true or false");
  value = text == "true";
}
void ParseValue(const Field& f, const std::string& text, std::string& value) {
  CheckChoice(f, text);
  value = text;
}
void ParseValue(const Field& f, const std::string& text, std::optional<double>& value) {
  if (text == "none" || text == "null") {
    value.reset();
  } else {
    value = ParseNumber<double>(f, text, "none or a number");
  }
}
void ParseValue(const Field& f, const std::string& text, std::vector<int>& value) {
  value.clear();
  for (const std::string& item : ParseItems(f, text))
    value.push_back(ParseNumber<int>(f, item, "whole numbers"));
}
void ParseValue(const Field& f, const std::string& text, std::vector<double>& value) {
  value.clear();
  for (const std::string& item : ParseItems(f, text))
    value.push_back(ParseNumber<double>(f, item, "numbers"));
}
void ParseValue(const Field& f, const std::string& text, std::vector<std::string>& value) {
  value.clear();
  for (std::string item : ParseItems(f, text)) {
    if (item.size() >= 2 && item.front() == '"' && item.back() == '"')
      item = item.substr(1, item.size() - 2);
    CheckChoice(f, item);
    if (std::find(value.begin(), value.end(), item) == value.end()) value.push_back(item);
  }
}

std::string FormatValue(int value) { return std::to_string(value); }
std::string FormatValue(uint64_t value) { return std::to_string(value); }
std::string FormatValue(double value) {
  // shortest form that reads back; 0.0001 rather than 1e-04
  char text[64];
  const double size = std::fabs(value);
  const bool plain = size == 0 || (size >= 1e-5 && size < 1e15);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(text, text + sizeof text, value, format).ptr;
  return {text, end};
}
std::string FormatValue(bool value) { return value ? "true" : "false"; }
std::string FormatValue(const std::string& value) { return value; }
std::string FormatValue(const std::optional<double>& value) {
  return value ? FormatValue(*value) : "none";
}
std::string FormatValue(const std::vector<int>& value) {
  return FormatList(value, [](int x) { return FormatValue(x); });
}
std::string FormatValue(const std::vector<double>& value) {
  return FormatList(value, [](double x) { return FormatValue(x); });
}
std::string FormatValue(const std::vector<std::string>& value) { return JoinList(value); }

const char* TypeName(int) { return "int"; }
const char* TypeName(uint64_t) { return "int"; }
const char* TypeName(double) { return "float"; }
const char* TypeName(bool) { return "bool"; }
const char* TypeName(const std::string&) { return "text"; }
const char* TypeName(const std::optional<double>&) { return "float"; }
const char* TypeName(const std::vector<int>&) { return "ints"; }
const char* TypeName(const std::vector<double>&) { return "floats"; }
const char* TypeName(const std::vector<std::string>&) { return "names"; }

std::string RangeText(const Field& field) {
  const bool low = std::isfinite(field.min);
  const bool high = std::isfinite(field.max);
  if (low && high) {
    return Join("in [", FormatValue(field.min), ", ", FormatValue(field.max),
                field.below_max ? ")" : "]");
  }
  if (low) return Join(">= ", FormatValue(field.min));
  if (high) return Join(field.below_max ? "< " : "<= ", FormatValue(field.max));
  return "";
}

}  // namespace gopnet

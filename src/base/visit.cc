#include "base/visit.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "base/names.h"

namespace gopnet {
namespace {

[[noreturn]] void BadValue(const Field& field, const std::string& text, const std::string& expected,
                           const std::string& hint = "") {
  Fail("parameter ", field.name, ": must be ", expected, "; got '", text, "'", hint);
}

std::string RangeText(const Field& field) {
  const bool low = std::isfinite(field.range.min);
  const bool high = std::isfinite(field.range.max);
  if (low && high) {
    return Join("in [", FormatValue(field.range.min), ", ", FormatValue(field.range.max),
                field.range.below_max ? ")" : "]");
  }
  if (low) return Join(">= ", FormatValue(field.range.min));
  if (high) return Join(field.range.below_max ? "< " : "<= ", FormatValue(field.range.max));
  return "";
}

template <class T>
T ParseInRange(const Field& field, const std::string& text, const char* kind) {
  T value{};
  const bool number = ParseNumber(Trim(text), &value);
  const auto x = static_cast<double>(value);
  if (!number || !std::isfinite(x) || x < field.range.min || x > field.range.max ||
      (field.range.below_max && x >= field.range.max)) {
    const std::string range = RangeText(field);
    BadValue(field, text, Join(kind, range.empty() ? "" : " ", range));
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

void CheckChoice(const Field& field, const std::string& text,
                 const std::vector<std::string>& choices) {
  if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end()) return;
  BadValue(field, text, (choices.size() > 1 ? "one of " : "") + JoinList(choices, ", "),
           DidYouMean(text, choices));
}

template <class T, class F>
std::string FormatList(const std::vector<T>& values, const F& format) {
  std::vector<std::string> items;
  std::transform(values.begin(), values.end(), std::back_inserter(items), format);
  return JoinList(items);
}

}  // namespace

void ParseValue(const Field& f, const std::string& text, double& value) {
  value = f.automatic && text == "auto"
              ? std::numeric_limits<double>::quiet_NaN()
              : ParseInRange<double>(f, text, f.automatic ? "auto or a number" : "a number");
}

size_t ChoiceIndex(const Field& field, const std::string& text,
                   const std::vector<std::string>& names) {
  CheckChoice(field, text, field.choices.empty() ? names : field.choices);
  return static_cast<size_t>(std::find(names.begin(), names.end(), text) - names.begin());
}

std::string FormatValue(int value) { return value == kAutomatic ? "auto" : std::to_string(value); }
std::string FormatValue(double value) {
  if (std::isnan(value)) return "auto";
  // shortest form that reads back; 0.0001 rather than 1e-04
  char text[64];
  const double size = std::fabs(value);
  const bool plain = size == 0 || (size >= 1e-5 && size < 1e15);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(text, text + sizeof text, value, format).ptr;
  return {text, end};
}
std::string FormatValue(const std::vector<int>& value) {
  return value.empty() ? "auto" : FormatList(value, [](int x) { return FormatValue(x); });
}

namespace {

void ParseValue(const Field& f, const std::string& text, int& value) {
  value = f.automatic && text == "auto"
              ? kAutomatic
              : ParseInRange<int>(f, text, f.automatic ? "auto or an integer" : "an integer");
}
void ParseValue(const Field& f, const std::string& text, uint64_t& value) {
  value = ParseInRange<uint64_t>(f, text, "an integer >= 0");
}
void ParseValue(const Field& f, const std::string& text, bool& value) {
  if (text != "true" && text != "false") BadValue(f, text, "true or false");
  value = text == "true";
}
void ParseValue(const Field& f, const std::string& text, std::string& value) {
  CheckChoice(f, text, f.choices);
  value = text;
}
void ParseValue(const Field& f, const std::string& text, std::optional<double>& value) {
  if (text == "none" || text == "null") {
    value.reset();
  } else {
    value = ParseInRange<double>(f, text, "none or a number");
  }
}
void ParseValue(const Field& f, const std::string& text, std::vector<int>& value) {
  value.clear();
  if (f.automatic && text == "auto") return;
  for (const std::string& item : ParseItems(f, text))
    value.push_back(ParseInRange<int>(f, item, "a list of integers"));
}
void ParseValue(const Field& f, const std::string& text, std::vector<double>& value) {
  value.clear();
  for (const std::string& item : ParseItems(f, text))
    value.push_back(ParseInRange<double>(f, item, "a list of numbers"));
}
void ParseValue(const Field& f, const std::string& text, std::vector<std::string>& value) {
  value.clear();
  for (std::string item : ParseItems(f, text)) {
    if (item.size() >= 2 && item.front() == '"' && item.back() == '"')
      item = item.substr(1, item.size() - 2);
    CheckChoice(f, item, f.choices);
    if (std::find(value.begin(), value.end(), item) == value.end()) value.push_back(item);
  }
}

std::string FormatValue(uint64_t value) { return std::to_string(value); }
std::string FormatValue(bool value) { return value ? "true" : "false"; }
std::string FormatValue(const std::string& value) { return value; }
std::string FormatValue(const std::optional<double>& value) {
  return value ? gopnet::FormatValue(*value) : "none";
}
std::string FormatValue(const std::vector<double>& value) {
  return FormatList(value, [](double x) { return gopnet::FormatValue(x); });
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
const char* TypeName(const NamedChoice&) { return "text"; }

void ParseValue(const Field& field, const std::string& text, NamedChoice& choice) {
  choice.index = ChoiceIndex(field, text, choice.names);
}
std::string FormatValue(const NamedChoice& choice) { return choice.names[choice.index]; }

}  // namespace

FieldVisitor ReadFields(const std::map<std::string, std::string>& values) {
  return FieldVisitor([&values](const FieldValue& value, const Field& field) {
    const auto given = values.find(field.name);
    if (given == values.end()) return;
    std::visit([&](auto* to) { ParseValue(field, given->second, *to); }, value);
  });
}

FieldVisitor WriteFields(std::map<std::string, std::string>& values) {
  return FieldVisitor([&values](const FieldValue& value, const Field& field) {
    values[field.name] = std::visit([](auto* from) { return FormatValue(*from); }, value);
  });
}

FieldVisitor DescribeFields(std::vector<ParameterInfo>& infos) {
  return FieldVisitor([&infos](const FieldValue& value, const Field& field) {
    std::vector<std::string> choices = field.choices;
    if (NamedChoice* const* choice = std::get_if<NamedChoice*>(&value); choice && choices.empty())
      choices = (*choice)->names;
    const auto describe = [&](auto* from) {
      infos.push_back({field.name, TypeName(*from), FormatValue(*from), field.doc, choices,
                       (field.automatic ? "auto or " : "") + RangeText(field)});
    };
    std::visit(describe, value);
  });
}

}  // namespace gopnet

// One list per config: a struct describes its fields once in Visit(v), and visitors read text into
// them, print them and document them. Text is locale-independent and round-trips. No visitor is a
// template argument of Visit: a list of fields compiles once, not once for each of them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gopnet/params.h"

namespace gopnet {

// What an int is that was given as "auto", until the data are known.
constexpr int kAutomatic = std::numeric_limits<int>::min();

// The numbers from min to max.
struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool below_max = false;  // max itself is not one of them
};
inline constexpr Bounds kFraction{0, 1, true};  // of a whole, but not all of it

// What a field is called, what it means and which values it takes.
struct Field {
  const char* name;
  Bounds range = {};
  bool automatic = false;                 // "auto" is allowed: NaN, kAutomatic or an empty list
  std::vector<std::string> choices = {};  // empty for an enum: all its names
  const char* doc;
};

// A parameter with a few named values is an `enum class` with a function ChoiceNames beside it that
// lists the names in the order of the values:
//   enum class SearchMethod { kExhaustive, kHalving };
//   inline std::vector<std::string> ChoiceNames(SearchMethod) { return {"exhaustive", "halving"}; }
template <class T>
concept Choice = std::is_enum_v<T>;

// Converts text to a value. Throws Error that names the parameter, the text and what is expected.
void ParseValue(const Field& field, const std::string& text, double& value);
size_t ChoiceIndex(const Field& field, const std::string& text,
                   const std::vector<std::string>& names);
template <Choice T>
void ParseValue(const Field& field, const std::string& text, T& value) {
  value = static_cast<T>(ChoiceIndex(field, text, ChoiceNames(value)));
}

template <Choice T>
std::string FormatValue(T value) {
  return ChoiceNames(value)[static_cast<size_t>(value)];
}
std::string FormatValue(int value);
std::string FormatValue(double value);
std::string FormatValue(const std::vector<int>& value);

// An enum, while a visitor looks at it: which of its names it has.
struct NamedChoice {
  size_t index;
  std::vector<std::string> names;
};
using FieldValue =
    std::variant<int*, uint64_t*, double*, bool*, std::string*, std::optional<double>*,
                 std::vector<int>*, std::vector<double>*, std::vector<std::string>*, NamedChoice*>;

// What Visit shows the fields of a config to, one by one.
class FieldVisitor {
 public:
  using See = std::function<void(const FieldValue& value, const Field& field)>;
  explicit FieldVisitor(See see) : see_(std::move(see)) {}
  template <class T>
  void operator()(T& value, const Field& field) {
    see_(&value, field);
  }
  template <Choice T>
  void operator()(T& value, const Field& field) {
    NamedChoice choice{static_cast<size_t>(value), ChoiceNames(value)};
    see_(&choice, field);
    value = static_cast<T>(choice.index);
  }

 private:
  See see_;
};

// Sets the fields that `values` names.
FieldVisitor ReadFields(const std::map<std::string, std::string>& values);
// Collects name -> text of every field.
FieldVisitor WriteFields(std::map<std::string, std::string>& values);
// Collects the documentation of every field, with its present value as the default.
FieldVisitor DescribeFields(std::vector<ParameterInfo>& infos);

}  // namespace gopnet

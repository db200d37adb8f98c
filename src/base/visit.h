// One list per config: a struct describes its fields once in Visit(v), and visitors read text into
// them, print them and document them. Text is locale-independent and round-trips. No visitor is a
// template argument of Visit: a list of fields compiles once, not once for each of them.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "gopnet/params.h"

namespace gopnet {

// What an int is that was given as "auto", until the data are known.
constexpr int kAutomatic = std::numeric_limits<int>::min();

// What a field is called, what it means and which values it takes.
struct Field {
  const char* name;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool below_max = false;                 // max itself is not allowed
  bool automatic = false;                 // "auto" is allowed: NaN, kAutomatic or an empty list
  std::vector<std::string> choices = {};  // empty for an enum: all its names
  const char* doc;
};

// Text to value; throws Error naming the parameter, the text and what is wanted.
void ParseValue(const Field& field, const std::string& text, int& value);
void ParseValue(const Field& field, const std::string& text, uint64_t& value);
void ParseValue(const Field& field, const std::string& text, double& value);
void ParseValue(const Field& field, const std::string& text, bool& value);
void ParseValue(const Field& field, const std::string& text, std::string& value);
void ParseValue(const Field& field, const std::string& text, std::optional<double>& value);
void ParseValue(const Field& field, const std::string& text, std::vector<int>& value);
void ParseValue(const Field& field, const std::string& text, std::vector<double>& value);
void ParseValue(const Field& field, const std::string& text, std::vector<std::string>& value);

// A parameter with a few named values is an `enum class` with a function ChoiceNames beside it that
// lists the names in the order of the values:
//   enum class SearchMethod { kExhaustive, kHalving };
//   inline std::vector<std::string> ChoiceNames(SearchMethod) { return {"exhaustive", "halving"}; }
template <class T>
concept Choice = std::is_enum_v<T>;

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
std::string FormatValue(uint64_t value);
std::string FormatValue(double value);
std::string FormatValue(bool value);
std::string FormatValue(const std::string& value);
std::string FormatValue(const std::optional<double>& value);
std::string FormatValue(const std::vector<int>& value);
std::string FormatValue(const std::vector<double>& value);
std::string FormatValue(const std::vector<std::string>& value);

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
  virtual ~FieldVisitor() = default;
  template <class T>
  void operator()(T& value, const Field& field) {
    See(&value, field);
  }
  template <Choice T>
  void operator()(T& value, const Field& field) {
    NamedChoice choice{static_cast<size_t>(value), ChoiceNames(value)};
    See(&choice, field);
    value = static_cast<T>(choice.index);
  }

 private:
  virtual void See(FieldValue value, const Field& field) = 0;
};

// Sets the fields that `values` names.
class ReadFields : public FieldVisitor {
 public:
  explicit ReadFields(const std::map<std::string, std::string>& values) : values_(values) {}

 private:
  void See(FieldValue value, const Field& field) override;
  const std::map<std::string, std::string>& values_;
};

// Collects name -> text of every field.
class WriteFields : public FieldVisitor {
 public:
  explicit WriteFields(std::map<std::string, std::string>& values) : values_(values) {}

 private:
  void See(FieldValue value, const Field& field) override;
  std::map<std::string, std::string>& values_;
};

// Collects the documentation of every field, with its present value as the default.
class DescribeFields : public FieldVisitor {
 public:
  explicit DescribeFields(std::vector<ParameterInfo>& infos) : infos_(infos) {}

 private:
  void See(FieldValue value, const Field& field) override;
  std::vector<ParameterInfo>& infos_;
};

}  // namespace gopnet

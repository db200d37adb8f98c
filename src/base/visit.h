// One list per config: a struct describes its fields once in Visit(v), and visitors read text into
// them, print them and document them. Text is locale-independent and round-trips.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gopnet/params.h"

namespace gopnet {

// What a field is called, what it means and which values it takes.
struct Field {
  const char* name;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool below_max = false;  // max itself is not allowed
  std::vector<std::string> choices = {};
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

std::string FormatValue(int value);
std::string FormatValue(uint64_t value);
std::string FormatValue(double value);
std::string FormatValue(bool value);
std::string FormatValue(const std::string& value);
std::string FormatValue(const std::optional<double>& value);
std::string FormatValue(const std::vector<int>& value);
std::string FormatValue(const std::vector<double>& value);
std::string FormatValue(const std::vector<std::string>& value);

const char* TypeName(int);
const char* TypeName(uint64_t);
const char* TypeName(double);
const char* TypeName(bool);
const char* TypeName(const std::string&);
const char* TypeName(const std::optional<double>&);
const char* TypeName(const std::vector<int>&);
const char* TypeName(const std::vector<double>&);
const char* TypeName(const std::vector<std::string>&);
std::string RangeText(const Field& field);

// Sets the fields that `values` names.
struct ReadFields {
  const std::map<std::string, std::string>& values;
  template <class T>
  void operator()(T& value, const Field& field) const {
    const auto it = values.find(field.name);
    if (it != values.end()) ParseValue(field, it->second, value);
  }
};

// Collects name -> text of every field.
struct WriteFields {
  std::map<std::string, std::string>& values;
  template <class T>
  void operator()(T& value, const Field& field) const {
    values[field.name] = FormatValue(value);
  }
};

// Collects the documentation of every field, with its present value as the default.
struct DescribeFields {
  std::vector<ParameterInfo>& infos;
  template <class T>
  void operator()(T& value, const Field& field) const {
    infos.push_back({field.name, TypeName(value), FormatValue(value), field.doc, field.choices,
                     RangeText(field)});
  }
};

}  // namespace gopnet

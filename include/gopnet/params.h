// Named parameters, spelled the same on the command line, in JSON, TOML, Python and C++.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gopnet {

// Values by name, as text ("40,40", "0.01", "true"). Parameters that are not set keep the
// algorithm's default under the chosen preset. Resolve and Train check names and values.
class Params {
 public:
  Params() = default;
  Params& Set(const std::string& name,
              const std::string& value);  // dashes in a name count as underscores
  Params& Set(const std::string& name, const char* value) { return Set(name, std::string(value)); }
  Params& Set(const std::string& name, double value);
  Params& Set(const std::string& name, int value);
  const std::map<std::string, std::string>& values() const { return values_; }
  bool Has(const std::string& name) const { return values_.count(name) != 0; }

 private:
  std::map<std::string, std::string> values_;
};

struct ParameterInfo {
  std::string name;
  std::string type;  // "int", "float", "bool", "text"; lists are "ints", "floats", "names"
  std::string default_value;
  std::string doc;
  std::vector<std::string> choices;  // empty: any value in the range
  std::string range;                 // for display, such as ">= 1" or "in [0, 1)"
};

struct AlgorithmInfo {
  std::string name;
  std::string summary;
  std::string reference;
  std::vector<ParameterInfo> parameters;
};

struct OperatorInfo {
  std::string kind;  // "nodal", "pool" or "activation"
  std::string name;
  std::string formula;
  bool in_paper;  // part of the paper's 72 sets, which are searched by default
};

std::vector<AlgorithmInfo> Algorithms();
std::vector<OperatorInfo> Operators();
std::vector<std::string> Presets();
// The parameters whose values a `grid` tries, whatever is set for them.
std::vector<std::string> GridParameters();

// All parameters of `algorithm` with their values under `params`, which may hold "preset". Throws
// Error for a value out of range and for an unknown name; the message suggests the nearest name.
std::map<std::string, std::string> Resolve(const std::string& algorithm, const Params& params);

// The candidates closest to `name` by edit distance, all of them on ties; empty if none is close.
std::vector<std::string> NearestNames(const std::string& name,
                                      const std::vector<std::string>& candidates);

}  // namespace gopnet

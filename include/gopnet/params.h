// Named parameters: one spelling on the command line, in JSON and TOML, in Python and here.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gopnet {

// Values by name, as text ("40,40", "0.01", "true"). What is not set keeps the algorithm's default
// under the chosen preset. Names and values are checked by Resolve and by Train.
class Params {
 public:
  Params() = default;
  Params& Set(const std::string& name,
              const std::string& value);  // dashes in a name read as underscores
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
  std::string
      type;  // "int", "float", "bool", "text", or a list of one of these: "ints", "floats", "names"
  std::string default_value;
  std::string doc;
  std::vector<std::string> choices;  // empty: any value in the range
  std::string range;                 // for people, for instance ">= 1" or "in [0, 1)"
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
  bool in_paper;  // one of the paper's 72 sets, so searched by default
};

std::vector<AlgorithmInfo> Algorithms();
std::vector<OperatorInfo> Operators();
std::vector<std::string> Presets();
// What a `grid` tries values of, whatever is set for them.
std::vector<std::string> GridParameters();

// Every parameter of `algorithm` with its value under `params` (which may hold "preset"). Throws
// Error for an unknown name, naming the nearest known one, and for a value out of range.
std::map<std::string, std::string> Resolve(const std::string& algorithm, const Params& params);

// The candidates closest to `name` by edit distance, several if they are equally near; empty if
// none is.
std::vector<std::string> NearestNames(const std::string& name,
                                      const std::vector<std::string>& candidates);

}  // namespace gopnet

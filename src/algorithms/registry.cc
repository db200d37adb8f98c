#include "algorithms/registry.h"

#include <algorithm>

#include "base/check.h"
#include "base/names.h"

namespace gopnet {

#define GOPNET_ALGORITHM(function) Algorithm function();
#include "algorithms/algorithms.def"
#undef GOPNET_ALGORITHM

namespace {

// What a preset changes against the defaults in nn/config.h; parameters an algorithm lacks are
// passed over.
const std::map<std::string, Values>& PresetValues() {
  static const std::map<std::string, Values> presets = {
      {"default", {}},
      {"paper",
       {{"search", "exhaustive"},
        {"regulariser", "best_of_two"},
        {"dropout_on_cached_input", "true"},
        {"val_split", "0"},
        {"stratify", "false"},
        {"memory_prescale", "center"},
        {"memory_postscale", "none"},
        {"memory_reg_scale", "absolute"},
        {"random_range", "6.283185307179586"},
        {"update", "greville"},
        {"solver", "admm"},
        {"on_stop", "keep"},
        {"block_patience", "1"},
        {"in_scale", "none"},
        {"admm_rho", "1"},
        {"intercept", "false"},
        {"enhancement_scale", "0"}}},
      {"fast", {{"epochs", "100"}, {"finetune_epochs", "50"}, {"topology", "40,40,40"}}},
  };
  return presets;
}

bool IsPositive(const Values& values, const char* name) {
  double value = 0;
  const auto it = values.find(name);
  if (it != values.end()) ParseValue({.name = name, .doc = ""}, it->second, value);
  return value > 0;
}

// weight_decay and max_norm exclude each other: one that the user sets turns the other's default
// off.
void SettleRegulariser(const Values& given, Values& values) {
  if (values.count("weight_decay") == 0) return;
  const bool decay = IsPositive(given, "weight_decay");
  const bool norm = IsPositive(given, "max_norm");
  if (decay && norm) {
    Fail("parameters weight_decay and max_norm: both given (", given.at("weight_decay"), " and ",
         given.at("max_norm"), "), only one is wanted");
  }
  if (decay) values["max_norm"] = "0";
  if (!decay && !norm) return;
  Check(given.count("regulariser") == 0 || values["regulariser"] != "best_of_two",
        "parameter regulariser: best_of_two given with ", decay ? "weight_decay" : "max_norm",
        ", only one of them is wanted");
  values["regulariser"] = "given";
}

// A grid is chosen by validation rows: it holds some out where the preset would not.
void SettleGrid(const Values& given, Values& values) {
  const auto grid = values.find("grid");
  if (grid == values.end() || grid->second == "none" || given.count("val_split") != 0) return;
  if (!IsPositive(values, "val_split")) values["val_split"] = "0.2";
}

std::vector<std::string> ParameterNames(const Algorithm& algorithm) {
  std::vector<std::string> names = {"preset"};
  for (const ParameterInfo& info : algorithm.describe()) names.push_back(info.name);
  return names;
}

}  // namespace

const std::vector<Algorithm>& AllAlgorithms() {
  static const std::vector<Algorithm> all = {
#define GOPNET_ALGORITHM(function) function(),
#include "algorithms/algorithms.def"
#undef GOPNET_ALGORITHM
  };
  return all;
}

const Algorithm& FindAlgorithm(const std::string& name) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : AllAlgorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  Fail("unknown algorithm '", name, "'", DidYouMean(name, names),
       "; known: ", JoinList(names, ", "));
}

const std::vector<std::string>& PresetNames() {
  static const std::vector<std::string> names = {"default", "paper", "fast"};
  return names;
}

Values ResolveValues(const Algorithm& algorithm, const Values& given) {
  const std::vector<std::string> names = ParameterNames(algorithm);
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::string preset = given.count("preset") ? given.at("preset") : "default";
  Check(PresetValues().count(preset) != 0, "parameter preset: '", preset, "' given, one of ",
        JoinList(PresetNames(), ", "), " wanted", DidYouMean(preset, PresetNames()));
  Values values;
  for (const auto& [name, value] : PresetValues().at(preset)) {
    if (known(name)) values[name] = value;
  }
  for (const auto& [name, value] : given) {
    if (name == "memory" && value == "none" && !known(name)) continue;  // that is what it has
    Check(known(name), "algorithm ", algorithm.name, " has no parameter '", name, "'",
          DidYouMean(name, names));
    if (name != "preset") values[name] = value;
  }
  Values resolved = algorithm.resolve(values);
  SettleRegulariser(given, resolved);
  SettleGrid(given, resolved);
  return resolved;
}

}  // namespace gopnet

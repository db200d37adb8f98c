#include "algorithms/registry.h"

#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"
#include "data/utf8.h"

namespace gopnet {

#define GOPNET_ALGORITHM(function) Algorithm function();
#include "algorithms/algorithms.def"
#undef GOPNET_ALGORITHM

namespace {

// The parameters that a preset changes. Those that an algorithm lacks are skipped.
const std::map<std::string, Values>& PresetValues() {
  static const std::map<std::string, Values> presets = {
      {"default", {}},
      {"paper",
       {{"ensemble", "1"},
        {"epochs", "300"},
        {"batch_size", "64"},
        {"dropout", "0.5"},
        {"schedule", "stages"},
        {"beta2", "0.999"},
        {"label_smoothing", "0"},
        {"topology", "40,40,40,40,40,40,40,40"},
        {"finetune_epochs", "200"},
        {"scale", "standard"},
        {"bounded", "never"},
        {"search", "exhaustive"},
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
      {"best", {{"folds", "5"}}},
      {"fast", {{"ensemble", "3"}, {"topology", "40,40"}}},
      {"fast, one network", {{"epochs", "100"}, {"finetune_epochs", "50"}}},
  };
  return presets;
}

bool IsPositive(const Values& values, const char* name) {
  double value = 0;
  const auto it = values.find(name);
  if (it != values.end()) ParseValue({.name = name, .doc = ""}, it->second, value);
  return value > 0;
}

// weight_decay and max_norm exclude each other: setting one turns off the default of the other.
void ChooseRegulariser(const Values& given, Values& values) {
  if (values.count("weight_decay") == 0) return;
  const bool decay = IsPositive(given, "weight_decay");
  const bool norm = IsPositive(given, "max_norm");
  if (decay && norm) {
    Fail("parameters weight_decay and max_norm: set only one; got ", given.at("weight_decay"),
         " and ", given.at("max_norm"));
  }
  if (decay) values["max_norm"] = "0";
  if (!decay && !norm) return;
  Check(given.count("regulariser") == 0 || values["regulariser"] != "best_of_two",
        "parameter regulariser: best_of_two cannot be combined with ",
        decay ? "weight_decay" : "max_norm");
  values["regulariser"] = "given";
}

// Two regularisers are tried on one network.
void TrainOneForBestOfTwo(const Values& given, Values& values) {
  const auto it = given.find("regulariser");
  if (it == given.end() || it->second != "best_of_two" || given.count("ensemble") != 0) return;
  if (values.count("ensemble") != 0) values["ensemble"] = "1";
}

// A grid needs validation rows to choose by, even if the preset holds out none.
void HoldOutRowsForGrid(const Values& given, Values& values) {
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
    if (algorithm.name == Lowered(name)) return algorithm;  // the paper writes POPmem-O
    names.push_back(algorithm.name);
  }
  Fail("unknown algorithm '", name, "'", DidYouMean(name, names),
       "; known: ", JoinList(names, ", "));
}

const std::vector<std::string>& PresetNames() {
  static const std::vector<std::string> names = {"default", "paper", "fast", "best"};
  return names;
}

Values ResolveValues(const Algorithm& algorithm, const Values& given) {
  const std::vector<std::string> names = ParameterNames(algorithm);
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::string preset = given.count("preset") ? given.at("preset") : "default";
  const std::vector<std::string>& presets = PresetNames();
  if (std::find(presets.begin(), presets.end(), preset) == presets.end()) {
    Fail("unknown preset '", preset, "'", DidYouMean(preset, presets), "; choose ",
         JoinList(presets, ", "));
  }
  Values values;
  const bool single = preset == "fast" && !known("ensemble");
  for (const auto& [name, value] : PresetValues().at(single ? "fast, one network" : preset)) {
    if (known(name)) values[name] = value;
  }
  for (const auto& [name, value] : given) {
    if (name == "memory" && value == "none" && !known(name)) continue;  // it has none anyway
    if (!known(name)) {
      Fail("algorithm ", algorithm.name, " has no parameter '", name, "'", DidYouMean(name, names));
    }
    Check(IsUtf8(value), "parameter ", name, ": '", Shown(value), "' is not UTF-8");
    if (name != "preset") values[name] = value;
  }
  Values resolved = algorithm.resolve(values);
  ChooseRegulariser(given, resolved);
  HoldOutRowsForGrid(given, resolved);
  TrainOneForBestOfTwo(given, resolved);
  const auto both = [&](const char* name, const char* value) {
    return IsEnsemble(resolved) && resolved.count(name) != 0 && resolved.at(name) != value;
  };
  Check(!both("regulariser", "given"),
        "parameter regulariser: best_of_two cannot be combined with ensemble or folds");
  Check(!both("grid", "none"), "parameter grid: cannot be combined with folds");
  return resolved;
}

}  // namespace gopnet

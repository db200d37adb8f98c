// The command line that repeats a run or a comparison.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "base/names.h"
#include "gopnet/error.h"
#include "report/parts.h"
#include "run/json_values.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

std::string Flag(std::string name, const std::string& value) {
  std::replace(name.begin(), name.end(), '_', '-');
  // A switch does not take the next word as its value.
  return " --" + name + (value == "true" || value == "false" ? "=" : " ") + ShellWord(value);
}

std::string Flags(const Values& options) {
  std::string text;
  for (const auto& [name, value] : options) text += Flag(name, value);
  return text;
}

// Every parameter, in the spelling of a config.
Values Resolved(const Algorithm& algorithm, const Values& options) {
  return ValuesFromJson(ValuesJson(algorithm.name, ResolveValues(algorithm, options)));
}

// The preset and the options beside it that give `target`; empty if the preset excludes it.
Values Differences(const Algorithm& algorithm, const std::string& preset,
                   const Values& target) try {
  Values options = {{"preset", preset}};
  const Values start = Resolved(algorithm, options);
  for (const auto& [name, value] : target) {
    const auto found = start.find(name);
    if (name != "threads" && (found == start.end() || found->second != value))
      options[name] = value;
  }
  const Values all = Resolved(algorithm, options);
  for (const auto& item : Values(options)) {  // drop options that others imply
    Values fewer = options;
    fewer.erase(item.first);
    if (item.first != "preset" && Resolved(algorithm, fewer) == all) options = fewer;
  }
  return options;
} catch (const Error&) {
  return {};
}

}  // namespace

std::string CommandOf(const Json& config) try {
  const Algorithm& algorithm = FindAlgorithm(config.at("algorithm"));
  const Values source = config.at("source").get<Values>();
  if (source.count("train") == 0) return "";
  const Values parameters = ValuesFromJson(config.at("parameters"));
  Values shortest;
  for (const std::string& preset : PresetNames()) {
    const Values options = Differences(algorithm, preset, parameters);
    if (!options.empty() && (shortest.empty() || options.size() < shortest.size()))
      shortest = options;
  }
  if (shortest.empty()) return "";
  return "gopnet train --algorithm " + algorithm.name + Flags(source) + Flags(shortest);
} catch (const std::exception&) {  // the config of another version
  return "";
}

std::string CompareCommandOf(const Json& plan) try {
  const Values source = plan.at("source").get<Values>();
  const Json& given = plan.at("given");
  if (source.count("train") == 0) return "";
  const auto algorithms = given.at("algorithms").get<std::vector<std::string>>();
  return "gopnet compare" + Flags(source) +
         (algorithms.empty() ? "" : Flag("algorithms", JoinList(algorithms))) +
         Flag("runs", plan.at("runs").dump()) +
         (given.at("resplit").get<bool>() ? " --resplit" : "") +
         Flags(given.at("parameters").get<Values>());
} catch (const std::exception&) {
  return "";
}

}  // namespace gopnet

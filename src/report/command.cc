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
  // A switch takes no word after it for its value.
  return " --" + name + (value == "true" || value == "false" ? "=" : " ") + ShellWord(value);
}

std::string Flags(const Values& options) {
  std::string text;
  for (const auto& [name, value] : options) text += Flag(name, value);
  return text;
}

// Every parameter, in the spelling that a config has.
Values Resolved(const Algorithm& algorithm, const Values& said) {
  return ValuesFromJson(ValuesJson(algorithm.name, ResolveValues(algorithm, said)));
}

// What must be said beside the preset to arrive at `wanted`; nothing if the preset excludes it.
Values Differences(const Algorithm& algorithm, const std::string& preset,
                   const Values& wanted) try {
  Values said = {{"preset", preset}};
  const Values begin = Resolved(algorithm, said);
  for (const auto& [name, value] : wanted) {
    const auto found = begin.find(name);
    if (name != "threads" && (found == begin.end() || found->second != value)) said[name] = value;
  }
  const Values all = Resolved(algorithm, said);
  for (const auto& item : Values(said)) {  // some say what others imply
    Values fewer = said;
    fewer.erase(item.first);
    if (item.first != "preset" && Resolved(algorithm, fewer) == all) said = fewer;
  }
  return said;
} catch (const Error&) {
  return {};
}

}  // namespace

std::string CommandOf(const Json& config) try {
  const Algorithm& algorithm = FindAlgorithm(config.at("algorithm"));
  const Values source = config.at("source").get<Values>();
  if (source.count("train") == 0) return "";
  const Values wanted = ValuesFromJson(config.at("parameters"));
  Values shortest;
  for (const std::string& preset : PresetNames()) {
    const Values said = Differences(algorithm, preset, wanted);
    if (!said.empty() && (shortest.empty() || said.size() < shortest.size())) shortest = said;
  }
  if (shortest.empty()) return "";
  return "gopnet train --algorithm " + algorithm.name + Flags(source) + Flags(shortest);
} catch (const std::exception&) {  // of another version
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

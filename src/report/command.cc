#include "report/command.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gopnet/error.h"
#include "gopnet/params.h"
#include "run/json_values.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::map<std::string, std::string>;

std::string Quoted(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string Flag(std::string name, const std::string& value) {
  std::replace(name.begin(), name.end(), '_', '-');
  // A switch takes no word after it for its value.
  return " --" + name + (value == "true" || value == "false" ? "=" : " ") + Quoted(value);
}

// Every parameter, in the spelling that a config has.
Texts Resolved(const std::string& algorithm, const Params& params) {
  return ValuesFromJson(ValuesJson(algorithm, Resolve(algorithm, params)));
}

Params Without(const Params& params, const std::string& name) {
  Params rest;
  for (const auto& [other, value] : params.values())
    if (other != name) rest.Set(other, value);
  return rest;
}

// What must be said beside the preset to arrive at `wanted`; nothing if the preset excludes it.
Params Differences(const std::string& algorithm, const std::string& preset,
                   const Texts& wanted) try {
  Params params;
  params.Set("preset", preset);
  const Texts begin = Resolved(algorithm, params);
  for (const auto& [name, value] : wanted) {
    const auto found = begin.find(name);
    if (name != "threads" && (found == begin.end() || found->second != value))
      params.Set(name, value);
  }
  const Texts all = Resolved(algorithm, params);
  const Texts said = params.values();
  for (const auto& item : said) {  // some say what others imply
    const Params fewer = Without(params, item.first);
    if (item.first != "preset" && Resolved(algorithm, fewer) == all) params = fewer;
  }
  return params;
} catch (const Error&) {
  return {};
}

}  // namespace

std::string CommandOf(const Json& config) try {
  const std::string algorithm = config.at("algorithm");
  const Texts source = config.at("source").get<Texts>();
  if (source.count("train") == 0) return "";
  const Texts wanted = ValuesFromJson(config.at("parameters"));
  Params shortest;
  for (const std::string& preset : Presets()) {
    const Params params = Differences(algorithm, preset, wanted);
    const size_t size = params.values().size();
    if (size > 0 && (shortest.values().empty() || size < shortest.values().size()))
      shortest = params;
  }
  if (shortest.values().empty()) return "";
  std::string text = "gopnet train --algorithm " + algorithm;
  for (const auto& [name, value] : source) text += Flag(name, value);
  for (const auto& [name, value] : shortest.values()) text += Flag(name, value);
  return text + Flag("simd", config.at("simd").get<std::string>());
} catch (const std::exception&) {  // of another version
  return "";
}

std::string CompareCommandOf(const Json& plan) try {
  const Texts source = plan.at("source").get<Texts>();
  const Json& given = plan.at("given");
  if (source.count("train") == 0) return "";
  std::string algorithms;
  for (const Json& name : given.at("algorithms"))
    algorithms += (algorithms.empty() ? "" : ",") + name.get<std::string>();
  std::string text = "gopnet compare";
  for (const auto& [name, value] : source) text += Flag(name, value);
  if (!algorithms.empty()) text += Flag("algorithms", algorithms);
  text += Flag("runs", plan.at("runs").dump());
  if (given.at("resplit").get<bool>()) text += " --resplit";
  for (const auto& [name, value] : given.at("parameters").get<Texts>()) text += Flag(name, value);
  return text + Flag("simd", plan.at("simd").get<std::string>());
} catch (const std::exception&) {
  return "";
}

}  // namespace gopnet

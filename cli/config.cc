#include "cli/config.h"

#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

using Json = nlohmann::json;

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// 0.1 -> "0.1", [40, 40] -> "40,40", {"a": 2} -> "a:2"
std::string AsSetting(const Json& value) {
  Words items;
  if (!value.is_structured()) return Text(value);
  for (const auto& [key, item] : value.items()) {
    items.push_back((value.is_object() ? key + ":" : "") + Text(item));
  }
  return Join(items, ",");
}

Settings ReadJson(const std::string& path, bool* of_run) {
  const Json root = Json::parse(ReadText(path), nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) throw Error(path + ": not JSON, or cut short");
  if (!root.is_object()) throw Error(path + ": not a JSON object of settings");
  const bool run = root.contains("parameters") && root["parameters"].is_object();
  if (of_run != nullptr) *of_run = run;
  Settings settings;
  if (run && root.contains("algorithm"))
    settings.emplace_back("algorithm", Text(root["algorithm"]));
  for (const auto& [key, value] : (run ? root["parameters"] : root).items()) {
    if (!value.is_null()) settings.emplace_back(key, AsSetting(value));
  }
  return settings;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Settings ReadConfig(const std::string& path, bool* of_run) {
  CheckReadable(path);
  if (EndsWith(path, ".json")) return ReadJson(path, of_run);
  if (EndsWith(path, ".toml")) return ReadToml(path);
  throw Error(path + ": --config takes a .toml or a .json file");
}

}  // namespace gopnet::cli

#include "cli/config.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/json_file.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

using Json = nlohmann::json;
constexpr size_t kMostToml = 1 << 16;  // bytes; people write a few hundred
constexpr size_t kMostJson = 1 << 20;  // a weight for each of many classes, perhaps

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
  const auto root = ReadJsonFile<Json>(path);
  if (root.is_null()) throw Error(path + ": not JSON, or cut short");
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

void CheckSize(const std::string& path, size_t most) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size <= most) return;
  throw Error(path + ": has " + std::to_string(size) + " bytes, a config file has at most " +
              std::to_string(most));
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Settings ReadConfig(const std::string& path, bool* of_run) {
  CheckReadable(path);
  if (EndsWith(path, ".json")) return CheckSize(path, kMostJson), ReadJson(path, of_run);
  if (EndsWith(path, ".toml")) return CheckSize(path, kMostToml), ReadToml(path);
  throw Error(path + ": --config takes a .toml or a .json file");
}

}  // namespace gopnet::cli

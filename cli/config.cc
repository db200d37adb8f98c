// Reads settings from a file. Only this file includes toml++.
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "cli/files.h"
#include "cli/json.h"
#include "cli/train_options.h"

namespace gopnet::cli {
namespace {

using Sorted = nlohmann::json;        // sorts the keys
constexpr size_t kMaxToml = 1 << 16;  // bytes; a hand-written file has a few hundred
constexpr size_t kMaxJson = 1 << 20;  // bytes; class_weight may list many classes
constexpr int kMaxDots = 1000;

std::string Text(const Sorted& value) {
  return value.is_string() ? value.get<std::string>() : JsonText(value);
}

// 0.1 -> "0.1", [40, 40] -> "40,40", {"a": 2} -> "a:2"
std::string AsSetting(const Sorted& value) {
  Words items;
  if (!value.is_structured()) return Text(value);
  for (const auto& [key, item] : value.items()) {
    items.push_back((value.is_object() ? key + ":" : "") + Text(item));
  }
  return Join(items, ",");
}

Settings ReadJson(const std::string& path, bool* of_run) {
  const Sorted root = Sorted::parse(ReadJsonText(path), nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) throw Error(path + ": is not valid JSON; it may be truncated");
  if (!root.is_object()) throw Error(path + ": must be a JSON object of settings");
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

// "c.toml: line 3, 'epochs = = 3': why"
[[noreturn]] void FailAtLine(const std::string& path, const std::string& toml, size_t line,
                             const std::string& why) {
  constexpr size_t kMaxLength = 60;
  const Words lines = Split(toml, '\n');
  std::string text = line <= lines.size() ? lines[line - 1] : "";
  text.erase(text.find_last_not_of(" \t\r") + 1);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c > '~'; }, '?');
  if (text.size() > kMaxLength) text.resize(kMaxLength), text += "...";
  Fail("{}: line {}, '{}': {}", path, line, text, why);
}

// The parser nests a table for every dot in a key and frees them recursively, so many dots would
// overflow the stack. Neighbouring dots are not part of a key.
void CheckDots(const std::string& path, const std::string& toml) {
  int dots = 0;
  for (size_t i = 1; i < toml.size(); ++i) dots += toml[i] == '.' && toml[i - 1] != '.';
  if (dots > kMaxDots)
    Fail("{}: has {} dots; keys must be plain names, without sections", path, dots);
}

toml::table ParseToml(const std::string& path, const std::string& text) try {
  return toml::parse(text);
} catch (const toml::parse_error& e) {
  std::string why(e.description());
  if (why.starts_with("Error")) why[0] = 'e';
  if (why.find("could not determine value type") != std::string::npos)
    why += "; put text in quotes";
  FailAtLine(path, text, e.source().begin.line, why);
}

Json ToJson(const toml::node& node) {
  if (const toml::array* array = node.as_array()) {
    Json items = Json::array();
    for (const toml::node& item : *array) items.push_back(ToJson(item));
    return items;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<int64_t>()) return *number;
  if (const auto yes = node.value_exact<bool>()) return *yes;
  const auto number = node.value_exact<double>();
  if (number && std::isfinite(*number)) return *number;
  std::ostringstream as_written;  // JSON has no infinity and no dates
  as_written << toml::node_view(node);
  return as_written.str();
}

Settings ReadToml(const std::string& path) {
  const std::string text = ReadText(path);
  CheckDots(path, text);
  Settings settings;
  std::set<std::string> seen;
  for (const auto& [key, value] : ParseToml(path, text)) {
    const size_t line = key.source().begin.line;
    if (value.is_table())
      FailAtLine(path, text, line, "keys must be plain names, without sections, dots or tables");
    const std::string name(key.str());
    if (!seen.insert(Underscored(name)).second)
      FailAtLine(path, text, line, "key '" + Underscored(name) + "' occurs twice");
    settings.emplace_back(name, AsSetting(ToJson(value)));
  }
  return settings;
}

void CheckSize(const std::string& path, size_t most) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size <= most) return;
  Fail("{}: has {} bytes; a config file may have at most {}", path, size, most);
}

}  // namespace

Settings ReadConfig(const std::string& path, bool* of_run) {
  CheckReadable(path);
  if (path.ends_with(".json")) return CheckSize(path, kMaxJson), ReadJson(path, of_run);
  if (path.ends_with(".toml")) return CheckSize(path, kMaxToml), ReadToml(path);
  throw Error(path + ": --config needs a .toml or a .json file");
}

}  // namespace gopnet::cli

#include "run/json_values.h"

#include <filesystem>

#include "algorithms/registry.h"
#include "base/check.h"
#include "base/checksum.h"
#include "base/files.h"
#include "base/names.h"
#include "base/parse_json.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

Json Scalar(const std::string& type, const std::string& text) {
  if (type == "text" || type == "names") return text;
  if (text == "none") return nullptr;
  Json value = ParseJson<Json>(text);
  return value.is_primitive() ? value : Json(text);  // a model file may hold anything
}

}  // namespace

Json ClassesJson(const ModelData& model) {
  Json classes = Json::array();
  for (const std::string& label : model.classes) {
    const Json number = model.integer_classes ? ParseJson<Json>(label) : Json();
    classes.push_back(number.is_number_integer() ? number : Json(label));
  }
  return classes;
}

Json MemoryJson(const std::string& type, int dims) {
  return {{"type", type.empty() ? "none" : type}, {"dims", dims}};
}

Json ValuesJson(const std::string& algorithm, const std::map<std::string, std::string>& values) {
  std::map<std::string, std::string> types;
  for (const Algorithm& a : AllAlgorithms()) {
    if (a.name != algorithm) continue;
    for (const ParameterInfo& info : a.describe()) types[info.name] = info.type;
  }
  Json json = Json::object();
  for (const auto& [name, text] : values) {
    const std::string type = types.count(name) ? types[name] : "text";
    if (type == "ints" || type == "floats" || type == "names") {
      json[name] = Json::array();
      for (const std::string& item : SplitList(text)) json[name].push_back(Scalar(type, item));
    } else {
      json[name] = Scalar(type, text);
    }
  }
  return json;
}

std::map<std::string, std::string> ValuesFromJson(const Json& values) {
  const auto text = [](const Json& value) {
    return value.is_null()     ? "none"
           : value.is_string() ? value.get<std::string>()
                               : JsonText(value);
  };
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : values.items()) {
    std::vector<std::string> items;
    for (const Json& item : value.is_array() ? value : Json::array({value}))
      items.push_back(text(item));
    texts[name] = JoinList(items);
  }
  return texts;
}

Json ReadObject(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;
  const FileMap file(path);
  Json json = ParseJson<Json>(file.bytes());
  return json.is_object() && !HasTwins(json, file.bytes()) ? json : Json();
}

std::string Difference(const Json& was, const Json& now, const std::string& where,
                       const std::string& growing) {
  if (was == now) return "";
  if (!was.is_object() || !now.is_object())
    return where + " was " + JsonText(was) + " and is now " + JsonText(now);
  const std::string prefix = where.empty() ? "" : where + " ";
  for (const auto& [key, value] : was.items()) {
    if (!now.contains(key)) return prefix + key + " was there and is now missing";
    const std::string difference = Difference(value, now[key], prefix + key, growing);
    if (!difference.empty()) return difference;
  }
  for (const auto& item : now.items()) {
    if (!was.contains(item.key()) && (growing.empty() || where != growing))
      return prefix + item.key() + " is new";
  }
  return "";
}

namespace {
Json WithoutWhere(Json object) {
  object.erase("source");  // rows may have moved to another place
  object.erase("checksum");
  if (object.contains("parameters") && object["parameters"].is_object()) {  // a config
    object["parameters"].erase("threads");
    for (const char* told : {"cv", "cv_folds", "save_split"})
      object.erase(told);  // no part of the training
  }
  return object;
}
}  // namespace

Json Fixed(Json object) {
  object = WithoutWhere(std::move(object));
  object.erase("simd");  // changes the time, not the model
  return object;
}

std::string SumOf(const Json& object) {
  return Checksum(JsonText(Fixed(object), -1, Json::error_handler_t::replace));
}

namespace {
std::string SealOf(const Json& object) {
  return Checksum(JsonText(WithoutWhere(object), -1, Json::error_handler_t::replace));
}
}  // namespace

Json Sealed(Json object) {
  object.erase("checksum");
  object["checksum"] = SealOf(object);
  return object;
}

std::string SealProblem(const Json& object) {
  if (!object.is_object()) return "not a JSON object";
  const auto sum = object.find("checksum");
  const char* fault = sum == object.end() ? "missing" : *sum == SealOf(object) ? nullptr : "wrong";
  return fault == nullptr ? ""
                          : Join("its checksum is ", fault, "; the file was changed or damaged");
}

}  // namespace gopnet

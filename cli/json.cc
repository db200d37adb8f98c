#include "cli/json.h"

#include "cli/files.h"
#include "cli/text.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {

nlohmann::ordered_json ParseJson(const std::string& text) {
  return nlohmann::ordered_json::parse(text);
}

template <class Json>
Json ReadJsonFile(const std::string& path) {
  constexpr int kMostDepth = 32;
  const std::string text = ReadText(path);
  if (NestedDeeper(text, kMostDepth)) Fail("{}: its JSON is nested too deep", path);
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? Json() : json;
}

template <class Json>
std::string JsonText(const Json& json, int indent, typename Json::error_handler_t errors) {
  return json.dump(indent, ' ', false, errors);
}

template nlohmann::json ReadJsonFile(const std::string&);
template nlohmann::ordered_json ReadJsonFile(const std::string&);
template std::string JsonText(const nlohmann::json&, int, nlohmann::json::error_handler_t);
template std::string JsonText(const nlohmann::ordered_json&, int,
                              nlohmann::ordered_json::error_handler_t);

}  // namespace gopnet::cli

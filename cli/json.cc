#include "cli/json.h"

#include "cli/console.h"
#include "cli/files.h"
#include "cli/text.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {

Json ParseJson(const std::string& text) { return Json::parse(text); }

std::string ReadJsonText(const std::string& path) {
  constexpr int kMaxDepth = 32;
  std::string text = ReadText(path);
  if (NestedDeeper(text, kMaxDepth)) Fail("{}: the JSON is nested too deeply", path);
  return text;
}

Json ReadJsonFile(const std::string& path) {
  Json json = Json::parse(ReadJsonText(path), nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? Json() : json;
}

std::string JsonText(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void PrintJson(const Json& json, int indent) { PrintData(JsonText(json, indent) + "\n"); }

}  // namespace gopnet::cli

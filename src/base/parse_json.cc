#include "base/parse_json.h"

#include "gopnet/error.h"

namespace gopnet {
namespace {

// Of all objects in it.
template <class Json>
size_t CountMembers(const Json& value) {
  size_t count = value.is_object() ? value.size() : 0;
  if (value.is_structured())
    for (const Json& item : value) count += CountMembers(item);
  return count;
}

// The same by the text: a member has a colon after its name. (The parser would call back for each,
// but then looks at all members again after every object.)
size_t CountColons(std::string_view text) {
  size_t count = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) {
      i += text[i] == '\\';  // and what it escapes
    } else {
      count += text[i] == ':';
    }
  }
  return count;
}

}  // namespace

bool NestedDeeper(std::string_view json, int most) {
  int depth = 0;
  bool text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') text = !text;
    if (text) {
      i += c == '\\';  // and what it escapes
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

template <class Json>
Json ParseJson(std::string_view text) {
  constexpr int kMostDepth = 32;
  if (NestedDeeper(text, kMostDepth)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

template <class Json>
bool HasTwins(const Json& value, std::string_view text) {
  return CountColons(text) != CountMembers(value);
}

template <class Json>
std::string JsonText(const Json& json, int indent, typename Json::error_handler_t errors) try {
  return json.dump(indent, ' ', false, errors);
} catch (const typename Json::type_error&) {  // the only one that dump() throws
  throw Error("cannot write text as JSON: it is not UTF-8");
}

std::string JsonInScript(std::string_view json) {
  std::string text;
  for (size_t i = 0; i < json.size(); ++i) {
    const bool separator = json.compare(i, 2, "\xE2\x80") == 0 && i + 2 < json.size() &&
                           (json[i + 2] == '\xA8' || json[i + 2] == '\xA9');
    if (json[i] == '<') {
      text += "\\u003c";
    } else if (separator) {
      text += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += json[i];
    }
  }
  return text;
}

template nlohmann::json ParseJson(std::string_view);
template nlohmann::ordered_json ParseJson(std::string_view);
template bool HasTwins(const nlohmann::json&, std::string_view);
template bool HasTwins(const nlohmann::ordered_json&, std::string_view);
template std::string JsonText(const nlohmann::json&, int, nlohmann::json::error_handler_t);
template std::string JsonText(const nlohmann::ordered_json&, int,
                              nlohmann::ordered_json::error_handler_t);

}  // namespace gopnet

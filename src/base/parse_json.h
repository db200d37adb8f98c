// JSON out of untrusted text. Reading it does not recurse, but to write, copy or compare it does:
// so nothing is accepted that is nested deeper than people nest.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gopnet {

// Whether JSON text has more than `most` brackets open at once. A callback of the parser could tell
// too, but it makes parsing an object of n objects take n^2 steps.
inline bool NestedDeeper(std::string_view json, int most) {
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

// Json is nlohmann::json or ordered_json. The result is discarded (is_discarded()) if the text is
// no JSON or nested too deep.
template <class Json>
Json ParseJson(std::string_view text) {
  constexpr int kMostDepth = 32;
  if (NestedDeeper(text, kMostDepth)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// A whole number; throws Json::exception for anything else, such as 1e99, which as an integer would
// be undefined.
template <class Json>
int64_t WholeNumber(const Json& json) {
  return json.template get_ref<const typename Json::number_integer_t&>();
}

}  // namespace gopnet

// JSON from text and to text. Both compile here alone: they would cost every file that calls the
// library's own functions seconds.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gopnet::cli {

// What the library has printed; throws for anything else.
nlohmann::ordered_json ParseJson(const std::string& text);

// Json is nlohmann::json or ordered_json; null if the file, which may be anybody's, holds no JSON.
// Reading it does not recurse, but to write or copy what was read does: so this throws Error for
// what is nested deeper than people nest.
template <class Json>
Json ReadJsonFile(const std::string& path);

// What dump() gives.
template <class Json>
std::string JsonText(const Json& json, int indent = -1,
                     typename Json::error_handler_t errors = Json::error_handler_t::strict);

}  // namespace gopnet::cli

// JSON from text and to text. Both compile here alone: they would cost every file that calls the
// library's own functions seconds.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gopnet::cli {

using Json = nlohmann::ordered_json;

// What the library has printed; throws for anything else.
Json ParseJson(const std::string& text);

// The text of a file that may be anybody's. Reading it does not recurse, but to write or copy what
// was read does: so this throws Error for what is nested deeper than people nest.
std::string ReadJsonText(const std::string& path);
// Null if the file holds no JSON.
Json ReadJsonFile(const std::string& path);

// What dump() gives, with U+FFFD for bytes that are no UTF-8; a line of it, to stdout.
std::string JsonText(const Json& json, int indent = -1);
void PrintJson(const Json& json, int indent = -1);

}  // namespace gopnet::cli

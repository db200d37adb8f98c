// Parses and prints JSON. Only json.cc calls the functions of the JSON library, because every file
// that calls them takes seconds longer to compile.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gopnet::cli {

using Json = nlohmann::ordered_json;

// Parses JSON that gopnet itself printed; throws for anything else.
Json ParseJson(const std::string& text);

// The text of an untrusted JSON file. Throws Error if it is nested deeply: parsing does not
// recurse, but writing and copying the parsed value would overflow the stack.
std::string ReadJsonText(const std::string& path);
// Null if the file is not JSON.
Json ReadJsonFile(const std::string& path);

// Like dump(), with U+FFFD for bytes that are not UTF-8.
std::string JsonText(const Json& json, int indent = -1);
void PrintJson(const Json& json, int indent = -1);  // to stdout, with a line end

}  // namespace gopnet::cli

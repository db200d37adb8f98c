// JSON files, which may be anybody's. Reading them does not recurse, but to write or copy what was
// read does: so nothing is accepted that is nested deeper than people nest.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gopnet::cli {

// The text of a JSON file; throws Error if it is nested too deep.
std::string ReadFlatText(const std::string& path);

// Json is nlohmann::json or ordered_json; null if the file holds no JSON.
template <class Json>
Json ReadJsonFile(const std::string& path) {
  Json json = Json::parse(ReadFlatText(path), nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? Json() : json;
}

}  // namespace gopnet::cli

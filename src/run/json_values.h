// Small pieces of JSON that several outputs share.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/model_file.h"

namespace gopnet {

// Class labels as given: numbers stay numbers.
nlohmann::ordered_json ClassesJson(const ModelData& model);
// {"type": "pca", "dims": 41}; type "none" and dims 0 without a memory.
nlohmann::ordered_json MemoryJson(const std::string& type, int dims);
// Parameter texts as typed JSON values.
nlohmann::ordered_json ValuesJson(const std::string& algorithm,
                                  const std::map<std::string, std::string>& values);

// The other way round: texts that Resolve reads as the same values.
std::map<std::string, std::string> ValuesFromJson(const nlohmann::ordered_json& values);

// The object in that file; null if there is none, or no whole one.
nlohmann::ordered_json ReadObject(const std::string& path);

// Where the two differ first, in words; empty if nowhere. In the object `growing`, the second may
// have more.
std::string Difference(const nlohmann::ordered_json& was, const nlohmann::ordered_json& now,
                       const std::string& where = "", const std::string& growing = "");

}  // namespace gopnet

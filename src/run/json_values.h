// Small pieces of JSON that several outputs share, and the seal of JSON files.
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

// The object in that file; null if there is none, or no whole one, or one with two members of a
// name.
nlohmann::ordered_json ReadObject(const std::string& path);

// Where the two differ first, in words; empty if nowhere. In the object `growing`, the second may
// have more.
std::string Difference(const nlohmann::ordered_json& was, const nlohmann::ordered_json& now,
                       const std::string& where = "", const std::string& growing = "");

// The JSON files of runs and comparisons carry a checksum as their last member, "checksum", so that
// damage and edits are noticed. It leaves out what may change: where the rows are, and the threads.

// What must be the same when a run goes on; the instruction set may be another.
nlohmann::ordered_json Fixed(nlohmann::ordered_json object);
// Of what is fixed; of a config it is the name of the run.
std::string SumOf(const nlohmann::ordered_json& object);

nlohmann::ordered_json Sealed(nlohmann::ordered_json object);
// What is wrong with an object that should have been sealed; empty: nothing.
std::string SealProblem(const nlohmann::ordered_json& object);

}  // namespace gopnet

// The JSON files of runs and comparisons carry a checksum as their last member, "checksum", so that
// damage and edits are noticed. It leaves out what may change: where the rows are, and the threads.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gopnet {

// What must be the same when a run goes on.
nlohmann::ordered_json Fixed(nlohmann::ordered_json object);
// Of what is fixed; of a config it is the name of the run.
std::string SumOf(const nlohmann::ordered_json& object);

nlohmann::ordered_json Sealed(nlohmann::ordered_json object);
// What is wrong with an object that should have been sealed; empty: nothing. One without a checksum
// is what an older version wrote.
std::string SealProblem(const nlohmann::ordered_json& object);

}  // namespace gopnet

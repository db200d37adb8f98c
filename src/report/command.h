// The command line that repeats a run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gopnet {

// From config.json; empty if it does not say where the rows are, or not enough.
std::string CommandOf(const nlohmann::ordered_json& config);
// The same for a comparison, from compare.json.
std::string CompareCommandOf(const nlohmann::ordered_json& plan);

}  // namespace gopnet

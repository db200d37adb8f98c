// What a page tells that no file of the folder says as it is.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gopnet {

// The command that repeats a run, from config.json; empty if that does not say where the rows are,
// or not enough.
std::string CommandOf(const nlohmann::ordered_json& config);
// The same for a comparison, from compare.json.
std::string CompareCommandOf(const nlohmann::ordered_json& plan);

// What a journal tells of the searches of a run: {"metric", "direction", "searches", "layers",
// "blocks", "networks", "seconds"}: for each layer its operator sets with the scores that they had
// after so many epochs, what became of layers and blocks, and how many networks of an ensemble are
// trained. Empty lists without a journal.
nlohmann::ordered_json ReadSearches(const std::string& journal_path);

}  // namespace gopnet

// Parts of a page that no file of the folder holds in that form.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gopnet {

// The command that repeats a run, from config.json; empty if the config lacks the files of the rows
// or other facts.
std::string CommandOf(const nlohmann::ordered_json& config);
// The same for a comparison, from compare.json.
std::string CompareCommandOf(const nlohmann::ordered_json& plan);

// Summarises the searches in a journal: {"metric", "direction", "searches", "layers", "blocks",
// "networks", "seconds"}. These are, for each layer, the scores of its operator sets by epochs; the
// accepted and rejected layers and blocks; and the number of trained networks of an ensemble. The
// lists are empty without a journal.
nlohmann::ordered_json ReadSearches(const std::string& journal_path);

}  // namespace gopnet

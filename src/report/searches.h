// What a journal tells of the searches of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gopnet {

// {"metric", "direction", "searches", "layers", "blocks", "networks", "seconds"}: for each layer
// its operator sets with the scores that they had after so many epochs, what became of layers and
// blocks, and how many networks of an ensemble are trained. Empty lists without a journal.
nlohmann::ordered_json ReadSearches(const std::string& journal_path);

}  // namespace gopnet

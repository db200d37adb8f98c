// What a folder holds, as the page wants it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gopnet {

// Of a run: {"kind": "run", "finished", "config", "metrics", "model", "columns", "journal",
// "report", "importance", "operators", "command"}; what is not there is null.
nlohmann::ordered_json GatherRun(const std::string& folder);

// Of a comparison: {"kind": "compare", "finished", "plan", "table"}. Before there is a table, it is
// made of the runs that are finished.
nlohmann::ordered_json GatherComparison(const std::string& folder);

}  // namespace gopnet

// Which columns of a file are features, targets and weights.
#pragma once

#include <optional>
#include <vector>

#include "data/table.h"

namespace gopnet {

struct Roles {
  std::vector<size_t> features;  // in the order of the schema
  std::vector<size_t> targets;   // in the order asked for
  std::optional<size_t> weight;
};

// Throws Error, naming the columns, if the file lacks some or has too many.
Roles AssignRoles(const Table& table, const ReadOptions& options);

}  // namespace gopnet

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
  std::optional<size_t> id;
  std::vector<size_t> ignored;
  std::vector<size_t> blank;           // features without any value
  bool target_moved = false;           // default target, and the last column is left out
  std::optional<size_t> other_target;  // default target, and this column is named like a target
  std::vector<std::string> extra;      // names of columns that the schema does not know
};

// Whether one of `names` (column names or indices from 0) refers to this column.
bool Means(const std::vector<std::string>& names, const Table& table, size_t column);
// The date option that refers to this column, or null.
const std::string* DateOption(const Table& table, size_t column, const ReadOptions& options);

// Throws Error, naming the columns, if the file lacks some or, without names, has too many.
Roles AssignRoles(const Table& table, const ReadOptions& options);

}  // namespace gopnet

// Columns of a file by the names of a schema.
#pragma once

#include <vector>

#include "data/table.h"

namespace gopnet {

// The file column of each schema column. `rest` are the file's columns without targets and weights:
// throws Error, naming the columns, if some of the schema are not there, or others are.
std::vector<size_t> MatchNames(const Table& table, const Schema& like,
                               const std::vector<size_t>& rest);

}  // namespace gopnet

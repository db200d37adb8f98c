// Decides the kinds of columns for a new schema: numbers, categories, dates, or not usable.
#pragma once

#include <vector>

#include "data/notes.h"
#include "data/roles.h"
#include "data/table.h"

namespace gopnet {

// Sets the schema's columns, with categories, dates, offsets and indicators. Ids, indexes, constant
// text and empty columns go to left_out. Returns the positions of the used columns among the
// features.
std::vector<size_t> DecideColumns(const TableRows& rows, const Table& table, const Roles& roles,
                                  const ReadOptions& options, TableNotes& notes, Schema* schema);

}  // namespace gopnet

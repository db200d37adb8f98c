// What the columns of a table are, when there is no schema yet: numbers, categories, dates, or
// nothing to learn from.
#pragma once

#include <vector>

#include "data/notes.h"
#include "data/roles.h"
#include "data/table.h"

namespace gopnet {

// Sets categories, dates, offsets and indicators of the schema's columns, of which there is one
// for each feature of the layout, and moves those that are ids, indexes, constant text or empty to
// left_out. Returns the places among the layout's features of those that stay.
std::vector<size_t> DecideColumns(const TableRows& rows, const Table& table,
                                  const std::vector<size_t>& features, const ReadOptions& options,
                                  TableNotes& notes, Schema* schema);

}  // namespace gopnet

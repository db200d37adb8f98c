// What the columns of a table are, when there is no schema yet: numbers, categories, dates, or
// nothing to learn from.
#pragma once

#include <vector>

#include "data/notes.h"
#include "data/roles.h"
#include "data/table.h"

namespace gopnet {

// Sets the schema's columns, with categories, dates, offsets and indicators: those of the features
// that are no ids, indexes, constant text or empty, which become left_out. Returns the places of
// the former among the features.
std::vector<size_t> DecideColumns(const TableRows& rows, const Table& table, const Roles& roles,
                                  const ReadOptions& options, TableNotes& notes, Schema* schema);

}  // namespace gopnet

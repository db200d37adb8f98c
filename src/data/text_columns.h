// Which columns of a table are read as text, and which of these texts are ids.
#pragma once

#include <string>
#include <vector>

#include "data/table.h"

namespace gopnet {

// Which feature columns are to be read as text: at first by the table's hints and the options ...
std::vector<bool> TextColumns(const Table& table, const std::vector<size_t>& features,
                              const ReadOptions& options);
// ... and then by all rows, as which the hints are then. True if they are to be read again.
bool CorrectTextColumns(const TableRows& rows, const ReadOptions& options, Table* table,
                        Layout* layout);

inline constexpr size_t kRowsOfIds = 20;  // fewer tell nothing of ids
// So many different ones among so many values tell rows apart and nothing else.
bool AreIds(size_t different, size_t known);

// The date option that means this column, or nothing.
const std::string* DateOption(const Table& table, size_t column, const ReadOptions& options);

}  // namespace gopnet

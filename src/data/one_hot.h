// Text columns as 0/1 features, each in the place of its column.
#pragma once

#include "data/table.h"

namespace gopnet {

// Lists the categories of the text columns in the schema, in bytewise order. `table` and `columns`
// (their places in the file) are for messages.
void SetCategories(const TableRows& rows, const Table& table, const std::vector<size_t>& columns,
                   Schema* schema);

// Sets x and owner of `data` from the rows, by its schema. A category that the schema does not list
// gives zeros; a missing one gives NaN, to be filled by the mean like a missing number. `table` is
// where they come from.
void SetFeatures(TableRows rows, const Table& table, Dataset* data);

}  // namespace gopnet

// Names of columns that tell rows apart and nothing else.
#pragma once

#include <string>

#include "data/table.h"

namespace gopnet {

// A name that people give to a column that only names the rows: id, user_id, userId ...
bool IsIdName(const std::string& given);
// ... or to one that counts them ...
bool IsIndexName(const std::string& given);
// ... or that an index has, also of rows that were shuffled: none above the first column, "index".
bool IsNamedAsIndex(const Table& table, size_t column);

}  // namespace gopnet

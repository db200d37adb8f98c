// Columns that tell rows apart and nothing else, by their names and values.
#pragma once

#include <string>

#include "data/dates.h"
#include "data/table.h"

namespace gopnet {

// A name that people give to a column that only names the rows: id, user_id, userId ...
bool IsIdName(const std::string& given);
// ... or to one that counts them ...
bool IsIndexName(const std::string& given);
// ... or that an index has, also of rows that were shuffled: none above the first column, "index".
bool IsNamedAsIndex(const Table& table, size_t column);

inline constexpr size_t kRowsOfIds = 20;  // fewer tell nothing of ids
Counts CountTexts(const Texts& texts);    // but for blanks
bool AreIds(const Counts& counts);        // nearly every text is of one row only

// What a column that nobody named as the target is by these rules: "counts the rows" or, if its
// texts are dates, "holds dates". Nothing if it may well be a target.
std::string OddTarget(const Table& table, size_t column, const Texts& fields);

}  // namespace gopnet

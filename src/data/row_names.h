// Recognizes columns that only identify rows, by their names and values.
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

inline constexpr size_t kRowsOfIds = 20;  // too few rows to recognize ids below this
Counts CountTexts(const Texts& texts);    // without blanks
bool AreIds(const Counts& counts);        // nearly every text occurs in only one row

// Why the default target is a suspicious one: "counts the rows", "holds dates". Empty if it looks
// like a target.
std::string OddTarget(const Table& table, size_t column, const Texts& fields);

}  // namespace gopnet

// A last column that is not likely what is to be predicted.
#pragma once

#include <string>

#include "data/table.h"

namespace gopnet {

// What the column is by the rules for features that tell rows apart and nothing else, or dates:
// "counts the rows". Nothing if it may well be a target.
std::string OddTarget(const Table& table, size_t column, const Texts& fields);

}  // namespace gopnet

// Fields of a table as features, as a schema says.
#pragma once

#include <string>
#include <vector>

#include "data/notes.h"
#include "data/table.h"

namespace gopnet {

// How columns of a file become those of a schema: `used[k]` is the place among Layout::features of
// schema column k.
struct Encoding {
  const Table& table;
  const std::vector<size_t>& file_columns;  // of Layout::features, for messages
  const std::vector<size_t>& used;
  bool training;  // else categories that the schema does not list are told
};

// Fields that hold a category which the schema does not have.
struct Unknown {
  size_t count = 0;
  std::string example;
  void Tell(TableNotes& notes) const;
};

// Sets x and its owner: the rows as they are if all columns are plain numbers. Throws Error for a
// field that is no date in a column of dates.
void SetFeatures(const TableRows& rows, const Encoding& encoding, Unknown* unknown, Dataset* data);

}  // namespace gopnet

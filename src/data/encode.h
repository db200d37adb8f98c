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
  bool training;  // else what the schema does not know is told
};

// Fields of new rows, which may come in pieces, that the schema does not know.
struct Unknown {
  Strays categories;
  Strays strays;       // texts among numbers or dates
  bool begun = false;  // there was a piece before
  void Tell(TableNotes& notes) const;
};

// Sets x and its owner: the rows as they are if all columns are plain numbers. Throws Error if a
// column of numbers or dates has nothing but other texts in the first piece of new rows.
void SetFeatures(const TableRows& rows, const Encoding& encoding, Unknown* unknown, Dataset* data);

}  // namespace gopnet

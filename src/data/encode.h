// Encodes the fields of a table as features, following a schema.
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
  bool training;  // otherwise gopnet reports fields that the schema does not know
};

// Fields of new rows that the schema does not know. The rows may come in pieces.
struct Unknown {
  Strays categories;
  Strays strays;         // texts among numbers or dates ...
  std::string expected;  // ... where the first should be "a number" or "a date"
  bool begun = false;    // there was a piece before
  std::string FirstStray() const;
  // `named`: the model has column names; one without never takes line 1 for names.
  void Warn(bool named, TableNotes& notes) const;
};

// Sets x and its owner. Plain numbers are not copied. Throws Error if a column of numbers or dates
// has only other texts in the first piece of new rows.
void SetFeatures(const TableRows& rows, const Encoding& encoding, Unknown* unknown, Dataset* data);

}  // namespace gopnet

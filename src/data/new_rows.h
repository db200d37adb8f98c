// Reads rows to predict chunk by chunk, following a schema.
#pragma once

#include <vector>

#include "data/encode.h"
#include "data/notes.h"
#include "data/roles.h"
#include "data/table.h"

namespace gopnet {

class NewRows {
 public:
  // Requires options.like. Both must outlive it.
  NewRows(Table& table, const ReadOptions& options);

  const Layout& layout() const { return layout_; }  // of the rows that it takes
  Dataset Take(const TableRows& rows);
  void Add(const TableGuess& guess) { notes_.Add(guess); }
  void Finish() { unknown_.Warn(options_.like->named, notes_); }  // about all rows together

 private:
  const Table& table_;
  const ReadOptions& options_;
  TableNotes notes_;
  Roles roles_;
  Layout layout_;
  std::vector<size_t> used_;
  Unknown unknown_;
};

}  // namespace gopnet

// Target and weight columns as read: class labels, values to predict, or weights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/notes.h"
#include "data/table.h"

namespace gopnet {

// A column with the place it came from, for messages.
struct SourceColumn {
  const Table& table;
  size_t column;
  ColumnValues values;
  std::vector<size_t> rows = {};  // numbers of the values' rows; empty: all, in order

  size_t size() const;
  std::string Place(size_t row) const;  // "train.csv: line 3, column 'y'"
};

// Decides the task by the rule of docs/reference/data_files.md, unless the options do, and sets
// labels or targets. If rows without a target are left out, Dataset::row_numbers lists the others.
void SetTargets(std::vector<SourceColumn> columns, const ReadOptions& options, TableNotes& notes,
                Dataset* data);

void SetWeights(SourceColumn column, TableNotes& notes, Dataset* data);

// Sets task, labels, classes (integers in numeric order, text bytewise) and integer_classes.
void SetLabels(const std::vector<int64_t>& labels, Dataset* data);
void SetLabels(const std::vector<std::string>& labels, Dataset* data);

}  // namespace gopnet

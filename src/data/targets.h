// Target and weight columns as read: class labels, values to predict, or weights.
#pragma once

#include <optional>
#include <vector>

#include "data/table.h"

namespace gopnet {

// A column with the place it came from, for messages.
struct SourceColumn {
  const Table& table;
  size_t column;
  Values values;

  size_t size() const;
  std::string Place(size_t row) const;  // "train.csv: line 3, column 'y'"
};

// Fields become integers, numbers or text, whichever holds them all. Throws Error for missing or
// infinite values; `what` is "target" or "weight".
void Settle(SourceColumn* column, const char* what);

// Decides the task by the rule of docs/data.md, unless `task` does, and sets labels or targets.
void SetTargets(std::vector<SourceColumn> columns, std::optional<Task> task, Dataset* data);

void SetWeights(SourceColumn column, Dataset* data);

}  // namespace gopnet

// Which columns a model relies on: how much worse it scores on rows in which one column has been
// shuffled.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "gopnet/model.h"

namespace gopnet {

struct ImportanceOptions {
  int repeats = 5;  // of each column, shuffled anew
  unsigned long long seed = 1;
  int threads = 0;  // 0: all cores; the numbers are the same for any
  // false: stop; PermutationImportance throws Stopped
  std::function<bool()> go_on = nullptr;
};

struct ColumnImportance {
  std::string name;
  double mean = 0;  // of the drops of the score
  double std = 0;   // their standard deviation, n repeats in the denominator
};

struct Importance {
  std::string metric;  // accuracy or r2
  double score = 0;    // on the rows as they are
  size_t rows = 0;
  int repeats = 0;
  std::vector<ColumnImportance> columns;  // in the order of the table
};

// A text column is shuffled as a whole, with all 0/1 features that it became. Columns that say the
// same hide each other: both may seem to matter little. Throws Error for rows without targets.
Importance PermutationImportance(const Model& model, const Dataset& data,
                                 const ImportanceOptions& options = {});

std::string ToJson(const Importance& importance, int indent = 2);  // of one repeat std is null
std::string ToCsv(const Importance& importance);  // name,mean,std; the greatest mean first

}  // namespace gopnet

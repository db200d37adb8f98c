// Permutation importance: how much worse a model scores when one column is shuffled.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "gopnet/model.h"

namespace gopnet {

struct ImportanceOptions {
  int repeats = 5;  // shuffles per column
  unsigned long long seed = 1;
  int threads = 0;  // 0: all cores; does not change the result
  // Return false to stop; PermutationImportance then throws Stopped.
  std::function<bool()> go_on = nullptr;
};

struct ColumnImportance {
  std::string name;
  double mean = 0;  // mean drop of the score
  double std = 0;   // standard deviation of the drops (divided by n)
};

struct Importance {
  std::string metric;  // accuracy or r2
  double score = 0;    // on the unshuffled rows
  size_t rows = 0;
  int repeats = 0;
  std::vector<ColumnImportance> columns;  // in the order of the table
};

// Shuffles a text column as a whole, with all its 0/1 features. Two correlated columns can hide
// each other: both may seem unimportant. Throws Error for rows without targets.
Importance PermutationImportance(const Model& model, const Dataset& data,
                                 const ImportanceOptions& options = {});

std::string ToJson(const Importance& importance, int indent = 2);  // std is null for one repeat
std::string ToCsv(const Importance& importance);  // name,mean,std; largest mean first

}  // namespace gopnet

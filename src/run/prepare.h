// From data sets as read to a problem as the algorithms see it: canonical order, splits, class
// numbers, weights, scaling.
#pragma once

#include "algorithms/train_ensemble.h"
#include "gopnet/train.h"
#include "model/model_file.h"
#include "nn/problem.h"
#include "train/config.h"
#include "train/runtime.h"

namespace gopnet {

struct Prepared {
  Problem problem;
  Folds folds;  // of problem.train, where several networks validate on different rows
  Rows test;
  // Which rows of the training data these are; those of files of their own have no number here.
  std::vector<size_t> train_rows, val_rows, test_rows;
  ModelData model;  // all but the network
};

Prepared Prepare(const Algorithm& algorithm, const Values& values, const TrainData& data,
                 Runtime& rt);
// Rows of train, val, test; folds of train, if these validate; features; classes or targets.
std::map<std::string, long> RowCounts(const Prepared& p);

// Name data by their content, so that a run or a comparison goes on with the rows it began with: 32
// hex digits. Of data sets, features, labels or targets and weights; any order of the rows gives
// the same. Of rows as training sees them, in canonical order, with all that the model takes from
// them (scaling, classes, columns).
std::string Fingerprint(const TrainData& data);
std::string RowsFingerprint(const Prepared& p);

// How much memory a training will take, told before it begins: by the shape of the rows, the
// classes and the algorithm. Throws Error with the estimate if it is more than `limit` bytes; 0:
// 80% of what the process may use. Returns a line to tell if it is more than half of that, else
// nothing. docs/background/reliability.md has a table of estimates and of what was measured, and
// tests/cli/test_memory_limit.py compares them. Rows that lie in a file are left out
// (base/spill.h).
std::string CheckMemory(const Algorithm& algorithm, const Values& values, const TrainData& data,
                        int threads, int cv_folds, size_t limit);

// How many folds a run divides its rows into; 0: none, the validation rows are the same for all.
int FoldCount(const TrainData& data, const CommonConfig& config, bool ensemble, size_t rows);

// The fold of each of these rows, by its number. Rows of one class are dealt out in turn, so that
// each fold has its share of them. `stream` tells the random numbers of one division from
// another's.
std::vector<int> DealToFolds(std::vector<size_t> rows, const std::vector<int32_t>& labels,
                             int folds, const CommonConfig& config, uint32_t stream);

// The values with a number for every `auto`, which depends on the data.
Values FitToData(Values values, const Prepared& p);
std::string AutoTopology(size_t rows, Task task);  // the widths among them
size_t AutoEnsemble(size_t rows);                  // the number of networks
size_t AutoBatchSize(size_t rows);
inline constexpr size_t kManyRows = 50'000;  // from here on narrower layers and larger batches

std::vector<size_t> AllRows(size_t count);  // their numbers
// The place of each name in the list; -1 for one that it lacks.
std::vector<int32_t> NumbersOf(const std::vector<std::string>& names,
                               const std::vector<std::string>& list);

// Rows of `data`, by their numbers, scaled and encoded as the model says.
Rows EncodeRows(const Dataset& data, const std::vector<size_t>& source, const ModelData& model,
                bool one_hot);

}  // namespace gopnet

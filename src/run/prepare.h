// From data sets as read to a problem as the algorithms see it: canonical order, splits, class
// numbers, weights, scaling. All checks of the data that need no file are here.
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

// unit_targets: regression targets in [0.1, 0.9] instead of standardised. ensemble: there will be
// several networks, each of which may validate on other rows.
Prepared Prepare(const TrainData& data, const CommonConfig& config, bool unit_targets,
                 bool ensemble, Runtime& rt);

// How many folds a run divides its rows into; 0: none, the validation rows are the same for all.
int FoldCount(const TrainData& data, const CommonConfig& config, bool ensemble, size_t rows);

// The values with a number for every `auto`, which depends on the data.
Values FitToData(Values values, const Prepared& p);
std::string AutoTopology(size_t rows, Task task);  // the widths among them
inline constexpr size_t kManyRows = 50'000;        // from here on fewer networks and larger batches

// Rows of `data` (all if `order` is null) scaled and encoded as the model says.
Rows EncodeRows(const Dataset& data, const std::vector<size_t>* order, const ModelData& model,
                bool one_hot);

// Throws Error if the features of one were made in another way than those of the other: from other
// columns, or with other categories.
void CheckSchema(const Schema& schema, const Schema& train, const std::string& name);

// Throws Error counting what is not finite or, to train on, too large, with the first position; NaN
// passes with fill_missing.
void CheckFinite(const MatrixView& x, bool fill_missing, const std::string& name,
                 bool any_size = true);
// Throws Error for labels, targets and weights that are not as they should be: NaN, inf, or so
// large that predictions or their squares would overflow.
void CheckTargets(const Dataset& data, const std::string& name);
// All of these, for rows on which a model is to be measured.
void CheckLabelled(const ModelData& model, const Dataset& data, const std::string& name);

}  // namespace gopnet

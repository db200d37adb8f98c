// An honest estimate of what a training gives: folds that are stages of its run.
#pragma once

#include "algorithms/algorithm.h"
#include "gopnet/train.h"
#include "train/run_store.h"

namespace gopnet {

// Trains whole.cv_folds networks, each on all rows of data.train but one fold, and measures it on
// that fold. The folds depend on the rows and the seed only; those that `store` has are not trained
// again. Rows of data.val, if any, are used by all.
CrossValidation CrossValidate(const Algorithm& algorithm, Values values, const TrainData& data,
                              const TrainOptions& whole, Observer& observer, RunStore& store);

}  // namespace gopnet

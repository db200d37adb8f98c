// A run once its parameters are settled: trained by this process, or helped with.
#pragma once

#include <functional>
#include <memory>

#include "algorithms/algorithm.h"
#include "gopnet/train.h"
#include "train/run_store.h"

namespace gopnet {

struct RunSetup {
  int threads = 1;
  // Lets others help: gets the store of the run and a name of its rows, returns a store for both.
  std::function<std::shared_ptr<RunStore>(std::shared_ptr<RunStore> own,
                                          const std::string& fingerprint)>
      share = nullptr;
  std::function<bool()> go_on = nullptr;                     // false: the job is to stop
  std::function<std::vector<RankRecord>()> usage = nullptr;  // of all ranks, for the record
};

// Trains in options.run_folder, or keeps nothing if there is none.
TrainResult TrainRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
                     const TrainOptions& options, const RunSetup& setup);

// The folds of a cross-validation, which depend on the rows and the seed only.
struct DealtRows {
  std::vector<size_t> order;
  std::vector<int> fold_of;  // by row
};

// Throws Error if there is nothing to learn without one of the folds.
DealtRows DealRows(const Values& values, const Dataset& data, int folds);

// Trains whole.cv_folds networks, each on all rows of data.train but one fold, and measures it on
// that fold. Those that `store` has are not trained again. Rows of data.val, if any, are used by
// all.
CrossValidation CrossValidate(const Algorithm& algorithm, Values values, const TrainData& data,
                              const DealtRows& dealt, const TrainOptions& whole, Observer& observer,
                              RunStore& store);

// Shares the searches of a run that another process trains, until there is nothing to help with.
// Throws Error if the rows are not those of the run, or the memory is not enough (CheckMemory).
void HelpRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
             const std::string& fingerprint, int threads, std::shared_ptr<RunStore> store,
             Observer& observer, size_t memory_limit);

}  // namespace gopnet

// Grows and fits a network.
#pragma once

#include <map>
#include <string>

#include "gopnet/dataset.h"
#include "gopnet/history.h"
#include "gopnet/model.h"
#include "gopnet/params.h"

namespace gopnet {

struct TrainData {
  Dataset train = {};
  Dataset val = {};   // empty: part of train is held out (parameter val_split)
  Dataset test = {};  // empty: no test metrics, unless test_split is set
};

class Ranks;  // ranks.h

struct TrainResult {
  Model model;
  History history;
};

struct TrainOptions {
  std::string run_folder = {};  // gets config, journal, checkpoint, model and metrics; empty:
                                // writes nothing
  Observer* observer = nullptr;
  double load_seconds = 0;                         // time spent on reading the data, for the record
  std::map<std::string, std::string> source = {};  // where the rows come from, for the record
  // Continue the run in run_folder. It must have started with the same algorithm, parameters
  // (except threads) and data; otherwise Train throws Error. See also Resume in run.h.
  bool resume = false;
  bool boolean_labels = false;  // the labels True and False are booleans; stored in the model
  bool save_split = false;      // write split.csv: which rows were used for what
  // Cross-validate with this many folds before training on all rows. History::cv estimates the
  // score of the final model. 0: no cross-validation.
  int cv_folds = 0;
  double seconds_left = 0;  // until the observer will stop the run; folds use a part of it. 0: no
                            // limit
  double checkpoint_seconds = 30;  // between two saved states of fine-tuning
  size_t memory_limit = 0;   // bytes; Error if the estimate is larger. 0: 80% of what is usable
  std::string part_of = {};  // the comparison that the run belongs to, for config.json
  // On rank 0, after Ranks::Share: the ranks that share the work. Does not change the result.
  Ranks* ranks = nullptr;
};

// Trains `algorithm` ("popmem-o", ...). The result depends only on the data, the parameters and the
// seed, not on the number of threads or the order of the rows. Throws Error for what the caller can
// fix, Stopped if the observer asked to stop.
TrainResult Train(const std::string& algorithm, const TrainData& data, const Params& params = {},
                  const TrainOptions& options = {});

// Pins the instruction set ("avx3", "avx2", "sse4", ...) unless `name` is empty. Returns the one in
// use. The instruction set changes the time only, with one exception: "sse4" has no fused
// multiply-add, so it cannot train, and its predictions may differ in the last digits.
std::string UseSimd(const std::string& name = "");
std::vector<std::string> SimdTargets();       // the instruction sets of this CPU, best first
std::vector<std::string> TrainSimdTargets();  // those that can train

const char* Version();

}  // namespace gopnet

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
  Dataset val = {};   // no rows: part of train is held out (parameter val_split)
  Dataset test = {};  // no rows: no test metrics, unless test_split is set
};

class Ranks;  // ranks.h

struct TrainResult {
  Model model;
  History history;
};

struct TrainOptions {
  std::string run_folder = {};  // config, journal, checkpoint, model and metrics go here; empty:
                                // nothing is written
  Observer* observer = nullptr;
  double load_seconds = 0;                         // what reading the data took, for the record
  std::map<std::string, std::string> source = {};  // where the rows come from, for the record
  // Goes on with the run in run_folder, which must have begun with the same algorithm, parameters
  // (threads aside) and data; Error otherwise. See also Resume in run.h.
  bool resume = false;
  bool boolean_labels = false;  // the labels True and False are truth values; the model tells it
  bool save_split = false;      // split.csv in the run folder: which rows were used for what
  // First trains this many networks, each on all rows of train but one fold, and measures it on
  // that fold: History::cv says what a network trained on all rows may be expected to score. 0:
  // none.
  int cv_folds = 0;
  double seconds_left =
      0;  // until the observer will say no; folds leave a share of it. 0: no limit
  double checkpoint_seconds = 30;  // between two states of fine-tuning that are kept
  size_t memory_limit = 0;         // bytes; more by the estimate is an Error. 0: 80% of its share
  std::string part_of = {};        // names the comparison that the run is of, for its config.json
  // Rank 0 of several that share the work, after Ranks::Share; the result is the same as without.
  Ranks* ranks = nullptr;
};

// Trains `algorithm` ("popmem-o", ...). The result depends on the data, the parameters and the seed
// only: not on the number of threads, nor on the order of the rows. Throws Error for what the
// caller can fix, Stopped if the observer asked to stop.
TrainResult Train(const std::string& algorithm, const TrainData& data, const Params& params = {},
                  const TrainOptions& options = {});

// Pins the instruction set ("avx3", "avx2", "sse4", ...); returns the one in use. Empty asks only.
// It changes the time and nothing else, except that "sse4" has no fused multiply-add: it cannot
// train, and predictions may differ in their last digits.
std::string UseSimd(const std::string& name = "");
std::vector<std::string> SimdTargets();       // what this CPU has, best first
std::vector<std::string> TrainSimdTargets();  // those that can train

const char* Version();

}  // namespace gopnet

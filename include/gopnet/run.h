// A run folder that Train wrote: what is in it, and how to go on with a run that was stopped.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gopnet/train.h"

namespace gopnet {

// Throws Error unless Train could make its run folder at `path`: new or empty, in a place that can
// be written. Creates nothing.
void CheckRunFolder(const std::string& path);

// What config.json says of a run.
struct RunInfo {
  std::string version, algorithm;
  std::map<std::string, std::string> parameters;  // all of them, as text
  std::map<std::string, std::string> source;      // TrainOptions::source
  int cv_folds = 0;                               // TrainOptions::cv_folds
  bool save_split = false;                        // TrainOptions::save_split
  std::string part_of;                            // TrainOptions::part_of
  bool finished = false;                          // model and metrics are there
};

// Throws Error if there is no run in the folder, or its config.json is damaged.
RunInfo ReadRun(const std::string& folder);

// A file, and what is wrong with it; nothing if that is empty.
struct FileCheck {
  std::string file, problem;
};
// Checks every checksum of a run, of a comparison with its runs, or of a model. Throws Error if it
// is none of these.
std::vector<FileCheck> Verify(const std::string& path);
// Has metrics.json of a run, if it is whole, keep the checksum of one more file of its folder.
void Vouch(const std::string& folder, const std::string& name);

// Removes what a finished run still keeps for resuming, should it have been killed while it did so.
void ClearState(const std::string& folder);

// Goes on with the run in options.run_folder, with the parameters that it began with. The model is
// the one, to the last byte, that the run would have given without the stop, for any number of
// threads and any CPU before and after. Throws Error if the run is finished, or if the data or the
// version are not those that it began with. `threads`: 0 for all cores, -1 as before.
TrainResult Resume(const TrainData& data, const TrainOptions& options, int threads = -1);

}  // namespace gopnet

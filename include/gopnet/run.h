// Run folders that Train wrote: what they hold, and how to resume an interrupted run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gopnet/train.h"

namespace gopnet {

// Throws Error unless Train could create its run folder at `path`: it must be new or empty, in a
// writable place. Creates nothing.
void CheckRunFolder(const std::string& path);

// The content of a run's config.json.
struct RunInfo {
  std::string version, algorithm;
  std::map<std::string, std::string> parameters;  // all parameters, as text
  std::map<std::string, std::string> source;      // TrainOptions::source
  int cv_folds = 0;                               // TrainOptions::cv_folds
  bool save_split = false;                        // TrainOptions::save_split
  std::string part_of;                            // TrainOptions::part_of
  bool finished = false;                          // model and metrics exist
};

// Throws Error if there is no run in the folder, or its config.json is damaged.
RunInfo ReadRun(const std::string& folder);

// Whether a process on this machine is training in the folder of a run or a comparison.
bool IsTraining(const std::string& folder);

// A file and what is wrong with it; `problem` is empty if nothing is.
struct FileCheck {
  std::string file, problem;
};
// Checks every checksum of a run, of a comparison and its runs, or of a model. Throws Error if
// `path` is none of these.
std::vector<FileCheck> Verify(const std::string& path);
// Adds the checksum of another file of the run folder to metrics.json, if metrics.json is intact.
void Vouch(const std::string& folder, const std::string& name);

// Removes resume data that a finished run left behind because it was killed while cleaning up.
void ClearState(const std::string& folder);

// Continues the run in options.run_folder with the parameters it started with. The model has the
// same bytes as without the interruption, for any number of threads and any CPU before and after.
// Throws Error if the run is finished, or if the data or the version differ from those at the
// start. `threads`: 0 for all cores, -1 for the earlier number.
TrainResult Resume(const TrainData& data, const TrainOptions& options, int threads = -1);

}  // namespace gopnet

// What a run found out beside its network: how good it is on each set of rows, which classes it
// takes for one another, and the files that say it row by row.
#pragma once

#include "run/prepare.h"
#include "train/run_store.h"

namespace gopnet {

// Metrics of every set of rows, of every target, and what is confused with what.
void MeasureParts(const Prepared& p, const TrainedEnsemble& trained, History& history);

// Empty unless there are several targets. They are called "target 1", ... without names.
std::vector<TargetMetrics> NamedTargets(const std::vector<std::string>& names,
                                        const std::vector<Metrics>& metrics);

struct ResultOptions {
  bool split = false;  // split.csv is wanted
  std::string report;  // report.json; none if empty
};

// Writes what a run tells of its rows: test_predictions.csv if there are test rows, split.csv and
// report.json. A file that cannot be written is a warning to the observer, as the network is worth
// more. Returns the checksums of those that are there.
RunStore::Sums WriteResults(const std::string& folder, const Prepared& p, const TrainData& data,
                            const Model& model, const ResultOptions& options, Observer& observer);

}  // namespace gopnet

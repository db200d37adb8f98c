// What a run found out beside its network: how good it is on each set of rows, which classes it
// takes for one another, and the files that say it row by row.
#pragma once

#include "run/prepare.h"
#include "train/run_store.h"

namespace gopnet {

// What makes probabilities of the outputs honest, fitted to rows that the networks did not learn
// from. Outputs that were trained on squared error are none without it.
double ChooseTemperature(const Prepared& p, const TrainedEnsemble& trained);

// What the network finally is: the memories of its layers, its size, metrics of every set of rows
// and of every target, and what is confused with what.
void MeasureParts(const Prepared& p, const TrainedEnsemble& trained, History& history);
// On the rows by which the network is judged.
std::map<std::string, Metrics> MeasureYardsticks(const Prepared& p, const History& history,
                                                 int threads);

// Empty unless there are several targets. They are called "target 1", ... without names.
std::vector<TargetMetrics> NamedTargets(const std::vector<std::string>& names,
                                        const std::vector<Metrics>& metrics);

// Writes what a run tells of its rows: test_predictions.csv if there are test rows, split.csv if it
// is wanted, and report.json, unless that is empty. A file that cannot be written is a warning to
// the observer, as the network is worth more. Returns the checksums of those that are there.
RunStore::Sums WriteResults(const TrainOptions& options, const Prepared& p, const TrainData& data,
                            const Model& model, const std::string& report, Observer& observer);

inline constexpr char kReportFile[] = "report.json";

// What pictures of a finished run need and metrics.json does not say, as report.json has it. Of the
// rows by which the network is judged, those of the test or else of validation: confusion matrix
// and reliability, or predicted beside true values; also the energy of the memory. As pictures are
// not worth a run, what goes wrong here is a warning to the observer.
std::string ReportText(const Prepared& p, const TrainedEnsemble& trained,
                       const std::vector<double>& finetune, Observer& observer);

}  // namespace gopnet

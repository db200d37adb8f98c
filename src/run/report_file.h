// report.json of a run folder: what pictures of a finished run need and metrics.json does not say.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "run/prepare.h"

namespace gopnet {

inline constexpr char kReportFile[] = "report.json";

// The measure that decides, by epoch of fine-tuning.
using FinetuneCurve = std::vector<std::pair<int, double>>;

// Of the rows by which the network is judged, those of the test or else of validation: confusion
// matrix and reliability, or predicted beside true values; also the energy of the memory. As
// pictures are not worth a run, what goes wrong here is a warning to the observer.
std::string ReportFileText(const Prepared& p, const TrainedEnsemble& trained,
                           const FinetuneCurve& finetune, Observer& observer);

}  // namespace gopnet

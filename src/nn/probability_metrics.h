// Measures of probabilities that need all rows at once: ROC AUC, average precision, log-loss.
#pragma once

#include <cstdint>
#include <vector>

#include "gopnet/history.h"
#include "nn/ensemble.h"
#include "nn/metric.h"

namespace gopnet {

// "auc" (one class against the rest, the mean over classes), "log_loss" and, of two classes,
// "pr_auc" (average precision of the second). As scikit-learn computes them; rows of a label
// that is unknown (-1) do not count, nor do classes that no row, or every row, has.
Metrics ProbabilityMetrics(ConstView probabilities, const std::vector<int32_t>& labels);

// Everything that a report shows of a model on labelled rows.
struct FullMeasure {
  Metrics metrics;
  std::vector<Metrics> per_target;  // regression
  std::vector<int32_t> predicted;   // classification
};
FullMeasure MeasureFully(const Problem& problem, const Rows& rows, const Ensemble& ensemble,
                         double temperature);
// The same of outputs that are there already.
FullMeasure MeasureFully(const Problem& problem, const Rows& rows, const Mat& outputs,
                         double temperature);

}  // namespace gopnet

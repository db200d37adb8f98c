#include <cmath>

#include "nn/metric.h"
#include "nn/ranking.h"

namespace gopnet {
namespace {

// Average precision, as scikit-learn's average_precision_score: of the second class of two, else
// the mean over the classes, each against the rest. Classes without rows do not count.
double AveragePrecision(const Measured& m, bool weighted) {
  static const std::vector<float> kNone;
  const std::vector<float>& weights = weighted ? m.rows.weights : kNone;
  const ConstView p = m.probabilities.view();
  std::vector<uint32_t> rows = RankedRows(p, m.rows.labels);
  double sum = 0, classes = 0;
  for (size_t c = p.cols == 2 ? 1 : 0; c < p.cols; ++c) {
    const double precision = Rank(p, c, m.rows.labels, weights, rows).average_precision;
    if (!std::isfinite(precision)) continue;
    sum += precision;
    ++classes;
  }
  return classes > 0 ? sum / classes : 0;
}

}  // namespace

Metric PrAucMetric() {
  return {.name = "pr_auc",
          .direction = 1,
          .needs = Needs::kRanking,
          .measure = AveragePrecision,
          .reported = false};  // of two classes ProbabilityMetrics reports it
}

}  // namespace gopnet

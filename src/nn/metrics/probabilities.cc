// How far probabilities are from the truth: Brier score and calibration error.
#include <cmath>

#include "nn/metric.h"

namespace gopnet {
namespace {

// The mean of |p - t|^2. Both classes of two have the same error, so one counts, as in
// scikit-learn.
double Brier(const Measured& m, bool) {
  return (m.problem.outputs == 2 ? 0.5 : 1) * m.brier_sum / m.weight_sum;
}

double CalibrationError(const Measured& m, bool) {
  double count = 0, error = 0;
  for (size_t b = 0; b < Measured::kBins; ++b) {
    count += m.counts[b];
    error += std::fabs(m.excess[b]);
  }
  return count > 0 ? error / count : std::nan("");
}

}  // namespace

Metric BrierMetric() {
  return {.name = "brier", .direction = -1, .needs = Needs::kProbabilities, .measure = Brier};
}
Metric EceMetric() {
  return {.name = "ece",
          .direction = -1,
          .needs = Needs::kProbabilities,
          .measure = CalibrationError,
          .selects = false};
}

}  // namespace gopnet

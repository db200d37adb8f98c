// Metrics of a regression's values: the mean over the targets, errors in original units.
#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "nn/metric.h"

namespace gopnet {
namespace {

// power: 1 for absolute, 2 for squared errors.
double MeanOverTargets(const Measured& m, const std::vector<double>& sums, unsigned power) {
  double mean = 0;
  for (size_t j = 0; j < sums.size(); ++j)
    mean +=
        sums[j] * real::Power(m.problem.target_scale[j], power) / static_cast<double>(sums.size());
  return mean / static_cast<double>(std::max<size_t>(m.rows.size(), 1));
}

double Mse(const Measured& m, bool) { return MeanOverTargets(m, m.squares, 2); }
double Rmse(const Measured& m, bool) { return std::sqrt(Mse(m, false)); }
double Mae(const Measured& m, bool) { return MeanOverTargets(m, m.absolutes, 1); }

double R2(const Measured& m, bool) {
  double mean = 0;
  for (size_t j = 0; j < m.problem.outputs; ++j)
    mean += m.R2(j) / static_cast<double>(m.problem.outputs);
  return mean;
}

}  // namespace

Metric R2Metric() { return {.name = "r2", .direction = 1, .needs = Needs::kValues, .measure = R2}; }
Metric MseMetric() {
  return {.name = "mse", .direction = -1, .needs = Needs::kValues, .measure = Mse};
}
Metric RmseMetric() {
  return {
      .name = "rmse", .direction = -1, .needs = Needs::kValues, .measure = Rmse, .selects = false};
}
Metric MaeMetric() {
  return {
      .name = "mae", .direction = -1, .needs = Needs::kValues, .measure = Mae, .selects = false};
}

}  // namespace gopnet

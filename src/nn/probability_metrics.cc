#include "nn/probability_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/real_math.h"
#include "kernels/elementwise.h"
#include "kernels/loss.h"
#include "nn/ranking.h"

namespace gopnet {
namespace {

constexpr size_t kMostScores = 50'000'000;  // rows x classes that are kept to be sorted

double LogLoss(ConstView probabilities, const std::vector<int32_t>& labels,
               const std::vector<uint32_t>& rows) {
  constexpr double kLeast = std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (const uint32_t n : rows) {
    double all = 0;
    const float* p = probabilities.Row(n);
    const auto clipped = [&](size_t j) {
      return std::clamp(static_cast<double>(p[j]), kLeast, 1 - kLeast);
    };
    for (size_t j = 0; j < probabilities.cols; ++j) all += clipped(j);
    sum -= real::Log(clipped(static_cast<size_t>(labels[n])) / all);
  }
  return sum / static_cast<double>(rows.size());
}

void ToProbabilities(double temperature, MutView outputs) {
  for (size_t n = 0; temperature != 1 && n < outputs.rows; ++n)
    Scale(static_cast<float>(temperature), outputs.cols, outputs.Row(n));
  Softmax(outputs);
}

// Brier score and calibration error of networks that learned by squared errors.
Metrics ProbabilityErrors(const Problem& problem, const Rows& rows, ConstView outputs,
                          double temperature) {
  Problem as_probabilities;
  as_probabilities.outputs = problem.outputs;
  MetricSums sums(as_probabilities, rows, temperature);
  Mat overwritten(outputs.rows, outputs.cols);
  CopyRows(outputs, overwritten.view());
  sums.Add(0, overwritten.view());
  const Metrics all = sums.All();
  return {{"brier", all.at("brier")}, {"ece", all.at("ece")}};
}

// outputs: of classes; no rows if they were too many to keep.
FullMeasure Describe(const Problem& problem, const Rows& rows, const MetricSums& sums,
                     MutView outputs, double temperature) {
  if (problem.task == Task::kRegression) return {sums.All(), sums.PerTarget(), {}};
  Metrics metrics = sums.All();
  if (outputs.rows > 0) {
    if (!problem.softmax()) metrics.merge(ProbabilityErrors(problem, rows, outputs, temperature));
    ToProbabilities(temperature, outputs);
    metrics.merge(ProbabilityMetrics(outputs, rows.labels));
  }
  return {std::move(metrics), {}, sums.predicted()};
}

}  // namespace

Metrics ProbabilityMetrics(ConstView probabilities, const std::vector<int32_t>& labels) {
  std::vector<uint32_t> rows = RankedRows(probabilities, labels);
  const bool two = probabilities.cols == 2;
  double areas = 0, classes = 0, precision = std::nan("");
  for (size_t c = two ? 1 : 0; c < probabilities.cols; ++c) {
    const Ranking ranking = Rank(probabilities, c, labels, {}, rows);
    if (two) precision = ranking.average_precision;
    if (!std::isfinite(ranking.area)) continue;
    areas += ranking.area;
    ++classes;
  }
  Metrics metrics{{"auc", classes > 0 ? areas / classes : std::nan("")},
                  {"log_loss", rows.empty() ? std::nan("") : LogLoss(probabilities, labels, rows)}};
  if (two) metrics["pr_auc"] = precision;
  return metrics;
}

FullMeasure MeasureFully(const Problem& problem, const Rows& rows, const Ensemble& ensemble,
                         double temperature) {
  const bool keeps =
      problem.task == Task::kClassification && rows.size() * problem.outputs <= kMostScores;
  Mat outputs(keeps ? rows.size() : 0, problem.outputs);
  MetricSums sums(problem, rows, temperature);
  EnsembleInference().Run(ensemble, rows.x.view(), [&](size_t first, MutView out) {
    if (keeps) CopyRows(out, outputs.view().Rows(first, out.rows));
    sums.Add(first, out);
  });
  return Describe(problem, rows, sums, outputs.view(), temperature);
}

FullMeasure MeasureFully(const Problem& problem, const Rows& rows, const Mat& outputs,
                         double temperature) {
  MetricSums sums(problem, rows, temperature);
  Mat overwritten = outputs, probabilities = outputs;
  sums.Add(0, overwritten.view());
  return Describe(problem, rows, sums, probabilities.view(), temperature);
}

}  // namespace gopnet

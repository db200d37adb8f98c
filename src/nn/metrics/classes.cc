// Metrics of predicted classes: accuracy, balanced accuracy and macro F1.
#include <algorithm>
#include <cmath>

#include "nn/metric.h"

namespace gopnet {
namespace {

double Accuracy(const Measured& m, bool weighted) {
  static const std::vector<float> kNone;
  const std::vector<float>& weights = weighted ? m.rows.weights : kNone;
  double hits = 0, all = 0;
  for (size_t n = 0; n < m.predicted.size(); ++n) {
    const double weight = weights.empty() ? 1.0 : static_cast<double>(weights[n]);
    all += weight;
    if (m.predicted[n] == m.rows.labels[n]) hits += weight;
  }
  const double accuracy = all > 0 ? hits / all : 0;
  // Rounded, so that hits on rows of almost no weight decide nothing: the loss then breaks the tie.
  constexpr double kSteps = 1e5;
  return weights.empty() ? accuracy : std::round(accuracy * kSteps) / kSteps;
}

// Rows of each class: those that were found, that there are, and that were predicted.
struct ClassCounts {
  std::vector<double> hits, truth, predicted;
  double unknown;  // whether there are rows of an unknown class: one more that is never found

  explicit ClassCounts(const Measured& m)
      : hits(m.problem.outputs), truth(m.problem.outputs), predicted(m.problem.outputs) {
    const std::vector<int32_t>& labels = m.rows.labels;
    for (size_t n = 0; n < m.predicted.size(); ++n) {
      predicted[static_cast<size_t>(m.predicted[n])] += 1;
      if (labels[n] < 0) continue;
      truth[static_cast<size_t>(labels[n])] += 1;
      hits[static_cast<size_t>(labels[n])] += m.predicted[n] == labels[n];
    }
    unknown = std::count(labels.begin(), labels.end(), -1) > 0 ? 1 : 0;
  }
};

double BalancedAccuracy(const Measured& m, bool) {
  const ClassCounts c(m);
  double sum = 0, classes = c.unknown;
  for (size_t k = 0; k < c.truth.size(); ++k) {
    if (c.truth[k] <= 0) continue;
    sum += c.hits[k] / c.truth[k];
    ++classes;
  }
  return classes > 0 ? sum / classes : 0;
}

double F1Macro(const Measured& m, bool) {
  const ClassCounts c(m);
  double sum = 0, classes = c.unknown;
  for (size_t k = 0; k < c.truth.size(); ++k) {
    if (c.truth[k] + c.predicted[k] <= 0) continue;
    sum += 2 * c.hits[k] / (c.truth[k] + c.predicted[k]);
    ++classes;
  }
  return classes > 0 ? sum / classes : 0;
}

}  // namespace

Metric AccuracyMetric() {
  return {.name = "accuracy",
          .direction = 1,
          .needs = Needs::kClasses,
          .measure = Accuracy,
          .running = [](double accuracy, double) { return accuracy; }};
}
Metric BalancedAccuracyMetric() {
  return {.name = "balanced_accuracy",
          .direction = 1,
          .needs = Needs::kClasses,
          .measure = BalancedAccuracy};
}
Metric F1MacroMetric() {
  return {.name = "f1_macro", .direction = 1, .needs = Needs::kClasses, .measure = F1Macro};
}

}  // namespace gopnet

#include "nn/metric.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "kernels/elementwise.h"
#include "kernels/loss.h"

namespace gopnet {

#define GOPNET_METRIC(function) Metric function();
#include "nn/metrics.def"
#undef GOPNET_METRIC

const std::vector<Metric>& AllMetrics() {
  static const std::vector<Metric> all = {
#define GOPNET_METRIC(function) function(),
#include "nn/metrics.def"
#undef GOPNET_METRIC
  };
  return all;
}

const Metric* FindMetric(const std::string& name) {
  const auto found = std::ranges::find(AllMetrics(), name, &Metric::name);
  return found == AllMetrics().end() ? nullptr : &*found;
}

double MetricDirection(const std::string& metric) {
  const Metric* found = FindMetric(metric);
  return found != nullptr ? found->direction : 1;
}

bool Metric::Fits(const Problem& problem) const {
  const bool classes = problem.task == Task::kClassification;
  switch (needs) {
    case Needs::kLoss:
      return true;
    case Needs::kClasses:
      return classes;
    case Needs::kValues:
      return !classes;
    default:
      return classes && problem.softmax();
  }
}

Metric LossMetric() {
  return {.name = "loss",
          .direction = -1,
          .needs = Needs::kLoss,
          .measure = [](const Measured& m, bool) { return m.Loss(); },
          .running = [](double, double loss) { return loss; }};
}

double Measured::Loss() const { return weight_sum > 0 ? loss_sum / weight_sum : std::nan(""); }

double Measured::MeanOverRows(double sum, size_t target, unsigned power) const {
  return sum * real::Power(problem.target_scale[target], power) /
         static_cast<double>(std::max<size_t>(rows.size(), 1));
}

double Measured::R2(size_t target) const {
  double mean = 0, total = 0;
  for (size_t n = 0; n < rows.size(); ++n) mean += static_cast<double>(rows.targets.Row(n)[target]);
  mean /= static_cast<double>(rows.size());
  for (size_t n = 0; n < rows.size(); ++n)
    total += real::Square(static_cast<double>(rows.targets.Row(n)[target]) - mean);
  if (!std::isfinite(squares[target])) return std::nan("");  // as mse says, too
  // a constant target gives 1 if there is no error, else 0, as in scikit-learn
  return total > 0 ? 1 - squares[target] / total : (squares[target] > 0 ? 0.0 : 1.0);
}

MetricSums::MetricSums(const Problem& problem, const Rows& rows, double temperature)
    : measured_(problem, rows), temperature_(temperature), loss_weights_(rows.weights) {
  if (problem.task != Task::kClassification) return;
  measured_.predicted.resize(rows.size());
  if (problem.metric->needs == Needs::kRanking)
    measured_.probabilities = Mat(rows.size(), problem.outputs);
  if (std::find(rows.labels.begin(), rows.labels.end(), -1) == rows.labels.end()) return;
  loss_weights_.resize(rows.size(), 1.0f);
  for (size_t n = 0; n < rows.size(); ++n) {
    known_labels_.push_back(std::max(rows.labels[n], 0));
    if (rows.labels[n] < 0) loss_weights_[n] = 0;
  }
}

void MetricSums::Add(size_t first, MutView outputs) {
  const Rows& rows = measured_.rows;
  const Objective& objective = *measured_.problem.objective;
  const float* weights = loss_weights_.empty() ? nullptr : loss_weights_.data() + first;
  for (size_t n = 0; n < outputs.rows; ++n)
    measured_.weight_sum += weights != nullptr ? static_cast<double>(weights[n]) : 1.0;
  if (measured_.problem.task == Task::kClassification) {
    ArgMaxRows(outputs, measured_.predicted.data() + first);
  } else {
    AddErrors(first, outputs);
  }
  if (objective.softmax() && temperature_ != 1) {
    for (size_t n = 0; n < outputs.rows; ++n)
      Scale(static_cast<float>(temperature_), outputs.cols, outputs.Row(n));
  }
  if (measured_.probabilities.rows() > 0) {
    const MutView p = measured_.probabilities.view().Rows(first, outputs.rows);
    CopyRows(outputs, p);
    Softmax(p);
  }
  const int32_t* labels = (known_labels_.empty() ? rows.labels : known_labels_).data() + first;
  const Goal goal{labels, rows.targets.view().Rows(first, outputs.rows), weights};
  measured_.loss_sum += objective.Gradient(outputs, goal, 1);
  if (objective.softmax()) AddProbabilities(first, outputs, weights);
}

void MetricSums::AddErrors(size_t first, ConstView values) {
  for (size_t n = 0; n < values.rows; ++n) {
    for (size_t j = 0; j < values.cols; ++j) {
      const double error = static_cast<double>(values.Row(n)[j]) -
                           static_cast<double>(measured_.rows.targets.Row(first + n)[j]);
      measured_.squares[j] += error * error;
      measured_.absolutes[j] += std::fabs(error);
    }
  }
}

// From the gradients weight (p - t) of the cross-entropy: the sum over rows of weight |p - t|^2,
// and how sure the network is of the predicted classes.
void MetricSums::AddProbabilities(size_t first, MutView gradients, const float* weights) {
  for (size_t n = 0; n < gradients.rows; ++n) {
    const double weight = weights != nullptr ? static_cast<double>(weights[n]) : 1.0;
    const float* row = gradients.Row(n);
    double squares = 0;
    for (size_t j = 0; j < gradients.cols; ++j)
      squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
    if (weight > 0) measured_.brier_sum += squares / weight;
    const int32_t predicted = measured_.predicted[first + n];
    const double hit = predicted == measured_.rows.labels[first + n] ? 1 : 0;
    const double p = static_cast<double>(row[predicted]) / weight + hit;
    if (!std::isfinite(p)) continue;  // no weight, or a network that diverged
    const auto bin = static_cast<size_t>(std::clamp(p, 0.0, 0.999999) * Measured::kBins);
    measured_.counts[bin] += 1;
    measured_.excess[bin] += p - hit;
  }
}

std::vector<Metrics> MetricSums::PerTarget() const {
  std::vector<Metrics> all;
  for (size_t j = 0; j < measured_.squares.size(); ++j) {
    const double mse = measured_.MeanOverRows(measured_.squares[j], j, 2);
    all.push_back({{"mse", mse},
                   {"rmse", std::sqrt(mse)},
                   {"mae", measured_.MeanOverRows(measured_.absolutes[j], j, 1)},
                   {"r2", measured_.R2(j)}});
  }
  return all;
}

Metrics MetricSums::All() const {
  const Problem& problem = measured_.problem;
  Metrics all;
  for (const Metric& metric : AllMetrics()) {
    const bool shown = metric.reported || &metric == problem.metric;
    if (shown && metric.Fits(problem)) all[metric.name] = metric.measure(measured_, false);
  }
  return all;
}

Metrics MetricSums::AsChosen() const {
  Metrics all = All();
  if (!measured_.rows.weights.empty()) all[measured_.problem.metric->name] = Measure();
  return all;
}

bool Better(const Score& a, const Score& b, double direction) {
  if (!a.valid || !b.valid) return a.valid && !b.valid;
  if (a.measure != b.measure) return direction * a.measure > direction * b.measure;
  return a.loss < b.loss;
}

bool Improves(double now, double before, double direction, double threshold) {
  if (!std::isfinite(now)) return false;
  const double gain = direction * (now - before) / std::max(std::fabs(before), 1e-12);
  return gain >= threshold;
}

bool IsPerfect(const Metric& metric, double measure) {
  return metric.direction < 0 ? measure <= 0 : measure >= 1;
}

}  // namespace gopnet

#include "nn/metric.h"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise.h"
#include "kernels/loss.h"

namespace gopnet {

double MetricDirection(const std::string& metric) {
  return metric == "loss" || metric == "mse" ? -1 : 1;
}

MetricSums::MetricSums(const Problem& problem, const Rows& rows)
    : problem_(problem), rows_(rows), squares_(problem.outputs), absolutes_(problem.outputs) {
  if (problem.task != Task::kClassification) return;
  predicted_.resize(rows.size());
  if (std::find(rows.labels.begin(), rows.labels.end(), -1) == rows.labels.end()) return;
  for (const int32_t label : rows.labels) {
    known_labels_.push_back(std::max(label, 0));
    is_known_.push_back(label < 0 ? 0.0f : 1.0f);
  }
}

void MetricSums::Add(size_t first, MutView outputs) {
  const bool unknown = !is_known_.empty();
  const float* weights = unknown ? is_known_.data() + first : nullptr;
  counted_ += unknown ? static_cast<size_t>(std::count(weights, weights + outputs.rows, 1.0f))
                      : outputs.rows;
  if (problem_.task == Task::kClassification) {
    ArgMaxRows(outputs, predicted_.data() + first);
  } else {
    for (size_t n = 0; n < outputs.rows; ++n) {
      for (size_t j = 0; j < outputs.cols; ++j) {
        const double error = static_cast<double>(outputs.Row(n)[j]) -
                             static_cast<double>(rows_.targets.Row(first + n)[j]);
        squares_[j] += error * error;
        absolutes_[j] += std::fabs(error);
      }
    }
  }
  const int32_t* labels = (unknown ? known_labels_ : rows_.labels).data() + first;
  loss_sum_ +=
      problem_.cross_entropy
          ? SoftmaxCrossEntropy(outputs, labels, weights, 1)
          : SquaredError(outputs, rows_.targets.view().Rows(first, outputs.rows), weights, 1);
}

double MetricSums::Loss() const {
  return counted_ > 0 ? loss_sum_ / static_cast<double>(counted_) : std::nan("");
}

MetricSums::ClassCounts MetricSums::Count() const {
  ClassCounts c{std::vector<double>(problem_.outputs), std::vector<double>(problem_.outputs),
                std::vector<double>(problem_.outputs)};
  for (size_t n = 0; n < predicted_.size(); ++n) {
    const int32_t truth = rows_.labels[n];
    c.predicted[static_cast<size_t>(predicted_[n])] += 1;
    if (truth < 0) continue;
    c.truth[static_cast<size_t>(truth)] += 1;
    c.hits[static_cast<size_t>(truth)] += predicted_[n] == truth;
  }
  return c;
}

// Mean over targets of sum / N in original units; power 1 for absolute, 2 for squared errors.
double MetricSums::MeanOverTargets(const std::vector<double>& sums, int power) const {
  double mean = 0;
  for (size_t j = 0; j < sums.size(); ++j) {
    mean += sums[j] * std::pow(problem_.target_scale[j], power) / static_cast<double>(sums.size());
  }
  return mean / static_cast<double>(std::max<size_t>(counted_, 1));
}

double MetricSums::R2() const {
  double mean_r2 = 0;
  for (size_t j = 0; j < problem_.outputs; ++j) {
    double mean = 0, total = 0;
    for (size_t n = 0; n < rows_.size(); ++n) mean += static_cast<double>(rows_.targets.Row(n)[j]);
    mean /= static_cast<double>(rows_.size());
    for (size_t n = 0; n < rows_.size(); ++n)
      total += std::pow(static_cast<double>(rows_.targets.Row(n)[j]) - mean, 2);
    // a constant target: perfect or not, as scikit-learn has it
    const double r2 = total > 0 ? 1 - squares_[j] / total : (squares_[j] > 0 ? 0.0 : 1.0);
    mean_r2 += r2 / static_cast<double>(problem_.outputs);
  }
  return mean_r2;
}

double MetricSums::Measure(const std::string& metric) const {
  if (metric == "loss") return Loss();
  if (metric == "r2") return R2();
  if (metric == "mse") return MeanOverTargets(squares_, 2);
  if (metric == "accuracy") {
    size_t hits = 0;
    for (size_t n = 0; n < predicted_.size(); ++n) hits += predicted_[n] == rows_.labels[n];
    return static_cast<double>(hits) / static_cast<double>(std::max<size_t>(predicted_.size(), 1));
  }
  const ClassCounts c = Count();
  // rows of an unknown class are one more class that is never found
  const auto unknown = std::count(rows_.labels.begin(), rows_.labels.end(), -1);
  double sum = 0, classes = unknown > 0 ? 1 : 0;
  for (size_t k = 0; k < problem_.outputs; ++k) {
    if (metric == "f1_macro" && c.truth[k] + c.predicted[k] > 0) {
      sum += 2 * c.hits[k] / (c.truth[k] + c.predicted[k]);
      ++classes;
    }
    if (metric == "balanced_accuracy" && c.truth[k] > 0) {
      sum += c.hits[k] / c.truth[k];
      ++classes;
    }
  }
  return classes > 0 ? sum / classes : 0;
}

Metrics MetricSums::All() const {
  Metrics all{{"loss", Loss()}};
  if (problem_.task == Task::kClassification) {
    for (const char* name : {"accuracy", "f1_macro", "balanced_accuracy"})
      all[name] = Measure(name);
  } else {
    all["mse"] = Measure("mse");
    all["rmse"] = std::sqrt(all["mse"]);
    all["mae"] = MeanOverTargets(absolutes_, 1);
    all["r2"] = R2();
  }
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

bool IsPerfect(const std::string& metric, double measure) {
  return MetricDirection(metric) < 0 ? measure <= 0 : measure >= 1;
}

}  // namespace gopnet

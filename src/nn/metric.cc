#include "nn/metric.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "kernels/elementwise.h"
#include "kernels/loss.h"

namespace gopnet {

double MetricDirection(const std::string& metric) {
  return metric == "loss" || metric == "mse" || metric == "brier" ? -1 : 1;
}

MetricSums::MetricSums(const Problem& problem, const Rows& rows, double temperature)
    : problem_(problem),
      rows_(rows),
      temperature_(temperature),
      loss_weights_(rows.weights),
      squares_(problem.outputs),
      absolutes_(problem.outputs) {
  if (problem.task != Task::kClassification) return;
  predicted_.resize(rows.size());
  if (std::find(rows.labels.begin(), rows.labels.end(), -1) == rows.labels.end()) return;
  loss_weights_.resize(rows.size(), 1.0f);
  for (size_t n = 0; n < rows.size(); ++n) {
    known_labels_.push_back(std::max(rows.labels[n], 0));
    if (rows.labels[n] < 0) loss_weights_[n] = 0;
  }
}

void MetricSums::Add(size_t first, MutView outputs) {
  const float* weights = loss_weights_.empty() ? nullptr : loss_weights_.data() + first;
  for (size_t n = 0; n < outputs.rows; ++n)
    weight_sum_ += weights != nullptr ? static_cast<double>(weights[n]) : 1.0;
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
  if (problem_.cross_entropy && temperature_ != 1) {
    for (size_t n = 0; n < outputs.rows; ++n)
      Scale(static_cast<float>(temperature_), outputs.cols, outputs.Row(n));
  }
  const int32_t* labels = (known_labels_.empty() ? rows_.labels : known_labels_).data() + first;
  loss_sum_ +=
      problem_.cross_entropy
          ? SoftmaxCrossEntropy(outputs, labels, weights, 1)
          : SquaredError(outputs, rows_.targets.view().Rows(first, outputs.rows), weights, 1);
  if (problem_.cross_entropy) AddProbabilities(first, outputs, weights);
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
    if (weight > 0) brier_sum_ += squares / weight;
    const int32_t predicted = predicted_[first + n];
    const double hit = predicted == rows_.labels[first + n] ? 1 : 0;
    const double p = static_cast<double>(row[predicted]) / weight + hit;
    if (!std::isfinite(p)) continue;  // no weight, or a network that diverged
    const auto bin = static_cast<size_t>(std::clamp(p, 0.0, 0.999999) * kBins);
    counts_[bin] += 1;
    excess_[bin] += p - hit;
  }
}

double MetricSums::CalibrationError() const {
  double count = 0, error = 0;
  for (size_t b = 0; b < kBins; ++b) {
    count += counts_[b];
    error += std::fabs(excess_[b]);
  }
  return count > 0 ? error / count : std::nan("");
}

// The mean of |p - t|^2. Both classes of two have the same error, so one counts, as in
// scikit-learn.
double MetricSums::Brier() const {
  const double share = problem_.outputs == 2 ? 0.5 : 1;
  return weight_sum_ > 0 ? share * brier_sum_ / weight_sum_ : std::nan("");
}

double MetricSums::Loss() const { return weight_sum_ > 0 ? loss_sum_ / weight_sum_ : std::nan(""); }

std::vector<Metrics> MetricSums::PerTarget() const {
  std::vector<Metrics> all;
  for (size_t j = 0; j < squares_.size(); ++j) {
    const double mse = MeanOverRows(squares_[j], j, 2);
    all.push_back({{"mse", mse},
                   {"rmse", std::sqrt(mse)},
                   {"mae", MeanOverRows(absolutes_[j], j, 1)},
                   {"r2", R2(j)}});
  }
  return all;
}

// sum / N in original units; power 1 for absolute, 2 for squared errors.
double MetricSums::MeanOverRows(double sum, size_t target, unsigned power) const {
  return sum * real::Power(problem_.target_scale[target], power) /
         static_cast<double>(std::max<size_t>(rows_.size(), 1));
}

double MetricSums::MeanOverTargets(const std::vector<double>& sums, unsigned power) const {
  double mean = 0;
  for (size_t j = 0; j < sums.size(); ++j) {
    mean +=
        sums[j] * real::Power(problem_.target_scale[j], power) / static_cast<double>(sums.size());
  }
  return mean / static_cast<double>(std::max<size_t>(rows_.size(), 1));
}

double MetricSums::R2(size_t target) const {
  double mean = 0, total = 0;
  for (size_t n = 0; n < rows_.size(); ++n)
    mean += static_cast<double>(rows_.targets.Row(n)[target]);
  mean /= static_cast<double>(rows_.size());
  for (size_t n = 0; n < rows_.size(); ++n)
    total += real::Square(static_cast<double>(rows_.targets.Row(n)[target]) - mean);
  if (!std::isfinite(squares_[target])) return std::nan("");  // as mse says, too
  // a constant target gives 1 if there is no error, else 0, as in scikit-learn
  return total > 0 ? 1 - squares_[target] / total : (squares_[target] > 0 ? 0.0 : 1.0);
}

double MetricSums::R2() const {
  double mean_r2 = 0;
  for (size_t j = 0; j < problem_.outputs; ++j)
    mean_r2 += R2(j) / static_cast<double>(problem_.outputs);
  return mean_r2;
}

double MetricSums::Accuracy(const std::vector<float>& weights) const {
  double hits = 0, all = 0;
  for (size_t n = 0; n < predicted_.size(); ++n) {
    const double weight = weights.empty() ? 1.0 : static_cast<double>(weights[n]);
    all += weight;
    if (predicted_[n] == rows_.labels[n]) hits += weight;
  }
  const double accuracy = all > 0 ? hits / all : 0;
  // Rounded, so that hits on rows of almost no weight decide nothing: the loss then breaks the tie.
  constexpr double kSteps = 1e5;
  return weights.empty() ? accuracy : std::round(accuracy * kSteps) / kSteps;
}

double MetricSums::Measure(const std::string& metric) const {
  if (metric == "loss") return Loss();
  if (metric == "brier") return Brier();
  if (metric == "r2") return R2();
  if (metric == "mse") return MeanOverTargets(squares_, 2);
  if (metric == "accuracy") return Accuracy(rows_.weights);
  // rows of each class: those that were found, that there are, and that were predicted
  std::vector<double> hits(problem_.outputs), truth(problem_.outputs), predicted(problem_.outputs);
  for (size_t n = 0; n < predicted_.size(); ++n) {
    predicted[static_cast<size_t>(predicted_[n])] += 1;
    if (rows_.labels[n] < 0) continue;
    truth[static_cast<size_t>(rows_.labels[n])] += 1;
    hits[static_cast<size_t>(rows_.labels[n])] += predicted_[n] == rows_.labels[n];
  }
  // rows of an unknown class are one more class that is never found
  const auto unknown = std::count(rows_.labels.begin(), rows_.labels.end(), -1);
  double sum = 0, classes = unknown > 0 ? 1 : 0;
  for (size_t k = 0; k < problem_.outputs; ++k) {
    if (metric == "f1_macro" && truth[k] + predicted[k] > 0) {
      sum += 2 * hits[k] / (truth[k] + predicted[k]);
      ++classes;
    }
    if (metric == "balanced_accuracy" && truth[k] > 0) {
      sum += hits[k] / truth[k];
      ++classes;
    }
  }
  return classes > 0 ? sum / classes : 0;
}

Metrics MetricSums::All() const {
  Metrics all{{"loss", Loss()}};
  if (problem_.task == Task::kClassification) {
    all["accuracy"] = Accuracy({});
    for (const char* name : {"f1_macro", "balanced_accuracy"}) all[name] = Measure(name);
    if (problem_.cross_entropy) {
      all["brier"] = Measure("brier");
      all["ece"] = CalibrationError();
    }
  } else {
    all["mse"] = Measure("mse");
    all["rmse"] = std::sqrt(all["mse"]);
    all["mae"] = MeanOverTargets(absolutes_, 1);
    all["r2"] = R2();
  }
  return all;
}

Metrics MetricSums::AsChosen() const {
  Metrics all = All();
  if (!rows_.weights.empty()) all[problem_.metric] = Measure(problem_.metric);
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

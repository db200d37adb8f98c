// Measures of a network's outputs on labelled rows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gopnet/history.h"
#include "nn/problem.h"

namespace gopnet {

double MetricDirection(const std::string& metric);

// Collects outputs row by row and turns them into metrics. The loss and the accuracy that selects
// are weighted, as in training; the other metrics of a report are not.
class MetricSums {
 public:
  // Probabilities are softmax(temperature * outputs).
  MetricSums(const Problem& problem, const Rows& rows, double temperature = 1);
  // Outputs (logits or values) of the rows from `first` on; they are overwritten.
  void Add(size_t first, MutView outputs);
  double Loss() const;
  double Measure(const std::string& metric) const;  // the one that selects
  Metrics All() const;                              // everything that a report shows
  Metrics AsChosen() const;  // the same, the measure that selects as it selects: weighted
  std::vector<Metrics> PerTarget() const;  // regression: mse, rmse, mae and r2 of each
  const std::vector<int32_t>& predicted() const { return predicted_; }

 private:
  void AddProbabilities(size_t first, MutView gradients, const float* weights);
  double Accuracy(const std::vector<float>& weights) const;
  double MeanOverRows(double sum, size_t target, unsigned power) const;
  double MeanOverTargets(const std::vector<double>& sums, unsigned power) const;
  double R2(size_t target) const;
  double R2() const;
  double Brier() const;
  double CalibrationError() const;

  const Problem& problem_;
  const Rows& rows_;
  const double temperature_;
  // If some labels are unknown (-1): those have no output and no loss. Else empty.
  std::vector<int32_t> known_labels_;
  std::vector<float> loss_weights_;  // empty: all 1
  double loss_sum_ = 0;
  double brier_sum_ = 0;   // over rows and classes
  double weight_sum_ = 0;  // of the rows that enter the loss
  std::vector<int32_t> predicted_;
  std::vector<double> squares_, absolutes_;
  // Rows by the probability of their predicted class: how many, and how many too few were right.
  static constexpr size_t kBins = 15;
  std::array<double, kBins> counts_{}, excess_{};
};

// A measure and the loss that breaks its ties; NaN never wins.
struct Score {
  double measure = 0;
  double loss = 0;
  bool valid = false;  // false: diverged or never evaluated, worse than anything
};
// True if a is strictly better than b by (direction * measure, then smaller loss).
bool Better(const Score& a, const Score& b, double direction);

// The relative stop rule (arXiv:1808.06377, eq. 1, made safe for any sign): does `now` improve on
// `before`?
bool Improves(double now, double before, double direction, double threshold);
// Nothing can be better: accuracy 1 or loss 0.
bool IsPerfect(const std::string& metric, double measure);

}  // namespace gopnet

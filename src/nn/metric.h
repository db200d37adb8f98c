// Measures of a network's outputs on labelled rows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gopnet/history.h"
#include "nn/problem.h"

namespace gopnet {

// What is known of a network's outputs on labelled rows.
struct Measured {
  Measured(const Problem& p, const Rows& r)
      : problem(p), rows(r), squares(p.outputs), absolutes(p.outputs) {}

  const Problem& problem;
  const Rows& rows;
  double loss_sum = 0;
  double brier_sum = 0;                    // over rows and classes
  double weight_sum = 0;                   // of the rows that enter the loss
  std::vector<int32_t> predicted;          // classes
  std::vector<double> squares, absolutes;  // errors of values, summed over rows
  // Rows by the probability of their predicted class: how many, and how many too few were right.
  static constexpr size_t kBins = 15;
  std::array<double, kBins> counts{}, excess{};
  Mat probabilities;  // N x C; only if the measure that selects ranks rows by them

  double Loss() const;
  // sum / N in original units; power 1 for absolute, 2 for squared errors.
  double MeanOverRows(double sum, size_t target, unsigned power) const;
  double R2(size_t target) const;
};

// What a metric looks at, and so for which problems it is.
enum class Needs {
  kLoss,           // any
  kClasses,        // classification
  kProbabilities,  // classification with a softmax link
  kRanking,        // the same, and the probabilities of every row
  kValues,         // regression
};

// An entry of metrics.def. A new metric is a file in nn/metrics/ and a line there.
struct Metric {
  const char* name;
  double direction;  // +1: larger is better; -1: smaller is
  Needs needs;
  // The measure that selects is weighted, as training is; a report is not.
  double (*measure)(const Measured& measured, bool weighted);
  bool selects = true;   // parameter metric may name it
  bool reported = true;  // also if it does not select
  // From the running accuracy and loss of an epoch's batches; null: not possible.
  double (*running)(double accuracy, double loss) = nullptr;

  bool Fits(const Problem& problem) const;
};

const std::vector<Metric>& AllMetrics();
const Metric* FindMetric(const std::string& name);  // null if there is none
double MetricDirection(const std::string& metric);  // +1 if there is none

// Collects outputs row by row and turns them into metrics.
class MetricSums {
 public:
  // Probabilities are softmax(temperature * outputs).
  MetricSums(const Problem& problem, const Rows& rows, double temperature = 1);
  // Outputs (logits or values) of the rows from `first` on; they are overwritten.
  void Add(size_t first, MutView outputs);
  double Loss() const { return measured_.Loss(); }
  double Measure(const Metric& metric) const { return metric.measure(measured_, true); }
  double Measure() const { return Measure(*measured_.problem.metric); }  // the one that selects
  Metrics All() const;       // everything that a report shows
  Metrics AsChosen() const;  // the same, the measure that selects as it selects: weighted
  std::vector<Metrics> PerTarget() const;  // regression: mse, rmse, mae and r2 of each
  const std::vector<int32_t>& predicted() const { return measured_.predicted; }

 private:
  void AddErrors(size_t first, ConstView values);
  void AddProbabilities(size_t first, MutView gradients, const float* weights);

  Measured measured_;
  const double temperature_;
  // If some labels are unknown (-1): those have no output and no loss. Else empty.
  std::vector<int32_t> known_labels_;
  std::vector<float> loss_weights_;  // empty: all 1
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
bool IsPerfect(const Metric& metric, double measure);

}  // namespace gopnet

// A learning problem as the algorithms see it: scaled rows in canonical order, class numbers or
// standardised targets, and the measure that decides.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mat.h"
#include "gopnet/dataset.h"
#include "nn/objective.h"
#include "nn/value_range.h"

namespace gopnet {

struct Rows {
  Mat x;                        // N x D, scaled, rows without padding
  std::vector<int32_t> labels;  // class numbers; -1 for a label that training never saw
  Mat targets;  // N x outputs: standardised targets, or one-hot classes for an identity link
  std::vector<float> weights;  // empty: all 1
  size_t size() const { return x.rows(); }
  double Weight(size_t n) const { return weights.empty() ? 1.0 : static_cast<double>(weights[n]); }
  // What output j should say of row n: with `classes` 1 for its label and 0 for others, else its
  // target.
  double Truth(size_t n, size_t j, bool classes) const {
    if (!classes) return static_cast<double>(targets.Row(n)[j]);
    return static_cast<size_t>(labels[n]) == j ? 1 : 0;
  }
  const float* Weights(size_t first = 0) const {
    return weights.empty() ? nullptr : weights.data() + first;
  }
  Goal AsGoal() const { return {labels.data(), targets.view(), Weights()}; }
};

Rows PickRows(const Rows& all, const std::vector<size_t>& rows);
Rows PickEvenly(const Rows& all, size_t most);  // at most so many, from the first to the last

struct Metric;
const Metric* FindMetric(const std::string& name);

struct Problem {
  Task task = Task::kClassification;
  size_t outputs = 0;
  std::shared_ptr<const Objective> objective = MakeObjective("cross_entropy");
  const Metric* metric = FindMetric("accuracy");  // the selection measure
  std::vector<double> target_scale;               // regression: standard deviation of each target
  ValueRange bounds;                              // regression: of the outputs
  Rows train;
  Rows val;  // may be empty
  bool softmax() const { return objective->softmax(); }
  // The rows that choose among networks.
  const Rows& selection() const { return val.size() ? val : train; }
};

// The right-hand side of least squares, N x outputs: the targets as they are, or one-hot classes.
Mat TargetMatrix(const Problem& problem, const Rows& rows);

}  // namespace gopnet

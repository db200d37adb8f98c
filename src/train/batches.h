// Mini-batches: the order of rows of an epoch, and the rows of a batch gathered side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "nn/problem.h"

namespace gopnet {

// Where batches begin and end: `size` rows each; a last batch of one row joins the one before it,
// as batch statistics need two.
std::vector<std::pair<size_t, size_t>> BatchRanges(size_t rows, size_t size);

// One batch of the training rows: inputs x, memory features g (may be absent), and what to aim at.
class Batch {
 public:
  Batch(const Problem& problem, ConstView x, ConstView g, double label_smoothing = 0)
      : problem_(problem), x_(x), g_(g), label_smoothing_(label_smoothing) {}
  void Gather(const uint32_t* order, size_t count);
  MutView x() { return xb_.view().Rows(0, count_); }
  ConstView g() const { return g_.data ? gb_.view().Rows(0, count_) : ConstView(); }
  // The mean loss of outputs (labels not smoothed), which become dLoss/doutputs; also counts hits
  // for the running accuracy.
  double LossGradient(MutView outputs);
  size_t hits() const { return hits_; }
  size_t count() const { return count_; }

 private:
  void SmoothLabels(MutView gradient) const;

  const Problem& problem_;
  ConstView x_, g_;
  double label_smoothing_;
  Mat xb_, gb_, targets_;
  std::vector<int32_t> labels_, predicted_;
  std::vector<float> weights_;
  size_t count_ = 0;
  size_t hits_ = 0;
  double total_ = 0;
};

}  // namespace gopnet

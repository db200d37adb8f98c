// Mini-batches: the order of rows of an epoch, and the rows of a batch gathered side by side.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/stop_check.h"
#include "nn/problem.h"

namespace gopnet {

// Where batches begin and end: `size` rows each; a last batch of one row joins the one before it,
// as batch statistics need two.
std::vector<std::pair<size_t, size_t>> BatchRanges(size_t rows, size_t size);

// One batch of the training rows: inputs x, memory features g (may be absent), and what to aim at.
class Batch {
 public:
  Batch(const Problem& problem, ConstView x, ConstView g, int size, double label_smoothing = 0)
      : problem_(problem),
        x_(x),
        g_(g),
        ranges_(BatchRanges(x.rows, static_cast<size_t>(size))),
        label_smoothing_(label_smoothing) {}

  // Makes it one batch after another of all rows, in the order of this epoch (`order` is room for
  // it), with dropout on x, and calls step(first, dropout): at which row of the order the batch
  // begins, and the random numbers for the dropout of layers. False as soon as step says so.
  template <class Step>
  bool Epoch(const StreamKey& key, int epoch, double input_dropout, std::vector<uint32_t>& order,
             const Step& step) {
    const auto index = static_cast<uint32_t>(epoch);
    order.resize(x_.rows);
    Shuffle(Rng(key, Purpose::kShuffle, index), order);
    Rng dropout(key, Purpose::kDropout, index), of_inputs(key, Purpose::kInputDropout, index);
    for (const auto& [first, last] : ranges_) {
      StopCheck::Ask();
      Gather(order.data() + first, last - first);
      if (input_dropout > 0) DropInputs(of_inputs.Next64(), input_dropout);
      if (!step(first, dropout)) return false;
    }
    return true;
  }
  MutView x() { return xb_.view().Rows(0, count_); }
  ConstView g() const { return g_.data ? gb_.view().Rows(0, count_) : ConstView(); }
  // The mean loss of outputs (labels not smoothed), which become dLoss/doutputs; also counts hits
  // for the running accuracy.
  double LossGradient(MutView outputs);
  size_t hits() const { return hits_; }
  size_t count() const { return count_; }

 private:
  void Gather(const uint32_t* order, size_t count);
  void DropInputs(uint64_t key, double rate);
  void SmoothLabels(MutView gradient) const;

  const Problem& problem_;
  ConstView x_, g_;
  std::vector<std::pair<size_t, size_t>> ranges_;
  double label_smoothing_;
  Mat xb_, gb_, targets_, mask_;
  std::vector<int32_t> labels_, predicted_;
  std::vector<float> weights_;
  size_t count_ = 0;
  size_t hits_ = 0;
  double total_ = 0;
};

}  // namespace gopnet

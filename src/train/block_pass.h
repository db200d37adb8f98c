// One block in training mode on one batch: forward with batch statistics, backward to its tensors.
// Its input is fixed data, so no gradient of the input is computed. Owns the buffers of the batch;
// nothing is allocated once it has seen its largest batch.
#pragma once

#include "nn/network.h"
#include "train/optimizer.h"

namespace gopnet {

class BlockPass {
 public:
  // F(x) with batch statistics, rows x Pad(units); valid until the next Forward.
  ConstView Forward(const Block& block, ConstView x);
  // g = dLoss/dF. Writes the gradients of block into `gradient` (a Block of the same shape).
  // Forward with the same block and x came just before.
  void Backward(const Block& block, ConstView x, ConstView g, Block& gradient);
  const Mat& mean() const { return mean_; }
  const Mat& variance() const { return variance_; }

 private:
  GopScratch scratch_;
  Mat pooled_, a_, f_, delta_, mean_, variance_;
};

// The output layer in training mode on one batch, or on a shard of one: linear, or a layer of GOPs
// with an operator set of its own (POP, arXiv:1808.06377, section 2.3).
class OutputPass {
 public:
  void Forward(const OutputLayer& output, ConstView h, MutView outputs);
  // Forward with the same output and h came just before. Writes the gradients of output's tensors
  // and dh = dLoss/dh: of the first dh.cols inputs if it is linear, else of all. output_t: the
  // transposed weights of those inputs, for a linear output only.
  void Backward(const OutputLayer& output, ConstView output_t, ConstView h, ConstView doutputs,
                OutputLayer& gradient, MutView dh);

 private:
  GopScratch scratch_;
  Mat pooled_, a_, delta_;
};

// Running averages of batch statistics with momentum 0.9, corrected for their start at 0.
class RunningStatistics {
 public:
  explicit RunningStatistics(size_t units) : mean_(1, units), variance_(1, units) {}
  void Add(const Mat& mean, const Mat& variance);
  void WriteTo(Block& block) const;

  template <class A>
  friend void Fields(A& a, RunningStatistics& s) {
    a(s.mean_, s.variance_, s.weight_);
  }

 private:
  Mat mean_, variance_;
  double weight_ = 0;
};

// Sums of a block's activations over rows, in double, for its statistics at inference.
struct ColumnMoments {
  std::vector<double> sum, squares;
  explicit ColumnMoments(size_t units = 0) : sum(units), squares(units) {}
  void Add(ConstView activations);
  void Add(const ColumnMoments& other);
  // Sets the block's mean and variance; `column`: the first of its activations in the sums.
  void WriteTo(size_t rows, Block& block, size_t column = 0) const;
};

// The tensors that training changes, with their gradients.
void AppendTensors(Block& block, Block& gradient, std::vector<Trained>& tensors);
void AppendTensors(OutputLayer& output, OutputLayer& gradient, std::vector<Trained>& tensors);

}  // namespace gopnet

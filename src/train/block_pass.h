// Blocks and output layers in training mode on one batch: forward with batch statistics, backward
// to their tensors. They own the buffers of the batch; nothing is allocated once they have seen
// their largest one.
#pragma once

#include "nn/network.h"
#include "train/optimizer.h"

namespace gopnet {

// The rows of a batch that one thread works on.
struct Shard {
  size_t index, first, count;
  MutView Of(Mat& m) const { return m.view().Rows(first, count); }
  ConstView Of(ConstView m) const { return m.Rows(first, count); }
};

// One block. Batch statistics need all rows: the shards meet once in each direction.
class BlockPass {
 public:
  void MakeRoom(const Block& block, size_t rows, size_t shards);
  // F(x): first the activations of every shard of x, then the statistics of all rows, then F.
  void Activations(const Block& block, ConstView x, const Shard& s);
  void Statistics();
  ConstView Outputs(const Block& block, const Shard& s);
  // Backward from df = dLoss/dF of every shard, which is overwritten. First its part of the
  // gradients of gamma and beta; then, given their sums over the shards, the gradients of the
  // other tensors and, unless it is null, dx. `gradient` is a Block of the same shape.
  MutView df(const Shard& s) { return s.Of(df_); }
  void BackwardNorm(const Shard& s, Block& gradient);
  void Backward(const Block& block, ConstView x, const Shard& s, const Block& sums, Block& gradient,
                MutView dx);
  const Mat& mean() const { return mean_; }
  const Mat& variance() const { return variance_; }

 private:
  size_t rows_ = 0;
  std::vector<GopScratch> scratch_;  // one per shard
  Mat pooled_, a_, f_, df_, mean_, variance_;
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

  friend decltype(auto) Fields(auto& a, RunningStatistics& s) {
    return a(s.mean_, s.variance_, s.weight_);
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
std::vector<Trained> TensorsOf(Network& net, Network& gradient, bool memory);

}  // namespace gopnet

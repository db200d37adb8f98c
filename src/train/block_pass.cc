#include "train/block_pass.h"

#include <algorithm>
#include <cassert>

#include "kernels/elementwise.h"
#include "linalg/gemm.h"

namespace gopnet {

void BlockPass::MakeRoom(const Block& block, size_t rows, size_t shards) {
  assert(block.norm == Norm::kBatch);
  rows_ = rows;
  if (scratch_.size() < shards) scratch_.resize(shards);
  for (Mat* m : {&pooled_, &a_, &f_, &df_}) Room(*m, rows, block.units());
  for (Mat* m : {&mean_, &variance_}) Room(*m, 1, block.units());
}

void BlockPass::Activations(const Block& block, ConstView x, const Shard& s) {
  GopForward(block.phi, s.Of(x), block.w.view(), true, scratch_[s.index], s.Of(pooled_));
  Activate(block.phi.activation, s.Of(pooled_), block.b.data(), s.Of(a_));
}

void BlockPass::Statistics() {
  ColumnStatistics(a_.view().Rows(0, rows_), mean_.data(), variance_.data());
}

ConstView BlockPass::Outputs(const Block& block, const Shard& s) {
  const MutView f = s.Of(f_);
  Normalize(s.Of(a_), mean_.data(), variance_.data(), block.gamma.data(), block.beta.data(), f);
  return f;
}

void BlockPass::BackwardNorm(const Shard& s, Block& gradient) {
  NormalizeSums(s.Of(a_), mean_.data(), variance_.data(), df(s), gradient.gamma.data(),
                gradient.beta.data());
}

void BlockPass::Backward(const Block& block, ConstView x, const Shard& s, const Block& sums,
                         Block& gradient, MutView dx) {
  const MutView delta = df(s);
  NormalizeBackward(s.Of(a_), mean_.data(), variance_.data(), block.gamma.data(), sums.gamma.data(),
                    sums.beta.data(), rows_, delta, delta);
  ActivateBackward(block.phi.activation, s.Of(pooled_), block.b.data(), s.Of(a_), delta, delta,
                   gradient.b.data());
  GopBackward(block.phi, s.Of(x), block.w.view(), delta, scratch_[s.index], gradient.w.view(), dx);
}

void OutputPass::Forward(const OutputLayer& output, ConstView h, MutView outputs) {
  if (!output.phi) return MatMul(h, output.w.view(), output.b.data(), outputs);
  const MutView pooled = Room(pooled_, h.rows, outputs.cols), a = Room(a_, h.rows, outputs.cols);
  GopForward(*output.phi, h, output.w.view(), true, scratch_, pooled);
  Activate(output.phi->activation, pooled, output.b.data(), a);
  CopyRows(a, outputs);
}

void OutputPass::Backward(const OutputLayer& output, ConstView output_t, ConstView h,
                          ConstView doutputs, OutputLayer& gradient, MutView dh) {
  if (!output.phi) {
    TransposedMatMul(h, doutputs, gradient.w.view());
    ColumnSums(doutputs, gradient.b.data());
    return MatMul(doutputs, output_t, nullptr, dh);
  }
  const MutView delta = Room(delta_, h.rows, doutputs.cols);
  ActivateBackward(output.phi->activation, pooled_.view().Rows(0, h.rows), output.b.data(),
                   a_.view().Rows(0, h.rows), doutputs, delta, gradient.b.data());
  GopBackward(*output.phi, h, output.w.view(), delta, scratch_, gradient.w.view(), dh);
}

void RunningStatistics::Add(const Mat& mean, const Mat& variance) {
  constexpr float kMomentum = 0.9f;
  for (size_t j = 0; j < mean_.cols(); ++j) {
    mean_.data()[j] = kMomentum * mean_.data()[j] + (1 - kMomentum) * mean.data()[j];
    variance_.data()[j] = kMomentum * variance_.data()[j] + (1 - kMomentum) * variance.data()[j];
  }
  weight_ = static_cast<double>(kMomentum) * weight_ + (1 - static_cast<double>(kMomentum));
}

void RunningStatistics::WriteTo(Block& block) const {
  if (weight_ == 0) return;
  for (size_t j = 0; j < mean_.cols(); ++j) {
    block.mean.data()[j] = static_cast<float>(static_cast<double>(mean_.data()[j]) / weight_);
    block.variance.data()[j] =
        static_cast<float>(static_cast<double>(variance_.data()[j]) / weight_);
  }
}

void ColumnMoments::Add(ConstView activations) {
  for (size_t n = 0; n < activations.rows; ++n) {
    for (size_t j = 0; j < sum.size(); ++j) {
      const double value = static_cast<double>(activations.Row(n)[j]);
      sum[j] += value;
      squares[j] += value * value;
    }
  }
}

void ColumnMoments::Add(const ColumnMoments& other) {
  for (size_t j = 0; j < sum.size(); ++j) {
    sum[j] += other.sum[j];
    squares[j] += other.squares[j];
  }
}

void ColumnMoments::WriteTo(size_t rows, Block& block, size_t column) const {
  const auto count = static_cast<double>(rows);
  for (size_t j = 0; j < block.units(); ++j) {
    const double mean = sum[column + j] / count;
    block.mean.data()[j] = static_cast<float>(mean);
    block.variance.data()[j] =
        static_cast<float>(std::max(0.0, squares[column + j] / count - mean * mean));
  }
}

void AppendTensors(Block& block, Block& gradient, std::vector<Trained>& tensors) {
  tensors.push_back({block.w.view(), gradient.w.view(), true});
  tensors.push_back({block.b.view(), gradient.b.view(), false});
  tensors.push_back({block.gamma.view(), gradient.gamma.view(), false});
  tensors.push_back({block.beta.view(), gradient.beta.view(), false});
}

void AppendTensors(OutputLayer& output, OutputLayer& gradient, std::vector<Trained>& tensors) {
  tensors.push_back({output.w.view(), gradient.w.view(), true});
  tensors.push_back({output.b.view(), gradient.b.view(), false});
}

std::vector<Trained> TensorsOf(Network& net, Network& gradient, bool memory) {
  std::vector<Trained> tensors;
  for (size_t k = 0; k < net.layers.size(); ++k) {
    Layer &layer = net.layers[k], &d = gradient.layers[k];
    for (size_t j = 0; j < layer.blocks.size(); ++j)
      AppendTensors(layer.blocks[j], d.blocks[j], tensors);
    if (!memory || !layer.memory) continue;
    tensors.push_back({layer.memory->p.view(), d.memory->p.view(), false});
    tensors.push_back({layer.memory->bias.view(), d.memory->bias.view(), false});
  }
  AppendTensors(net.output, gradient.output, tensors);
  return tensors;
}

}  // namespace gopnet

#include "nn/block_pass.h"

#include <algorithm>

#include "kernels/elementwise.h"

namespace gopnet {
ConstView BlockPass::Forward(const Block& block, ConstView x) {
  const MutView pooled = Room(pooled_, x.rows, block.units());
  const MutView a = Room(a_, x.rows, block.units());
  const MutView f = Room(f_, x.rows, block.units());
  Room(mean_, 1, block.units());
  Room(variance_, 1, block.units());
  GopForward(block.phi, x, block.w.view(), true, scratch_, pooled);
  Activate(block.phi.activation, pooled, block.b.data(), a);
  ColumnStatistics(a, mean_.data(), variance_.data());
  Normalize(a, mean_.data(), variance_.data(), block.gamma.data(), block.beta.data(), f);
  return f;
}

void BlockPass::Backward(const Block& block, ConstView x, ConstView g, Block& gradient) {
  const ConstView pooled = pooled_.view().Rows(0, x.rows);
  const ConstView a = a_.view().Rows(0, x.rows);
  const MutView delta = Room(delta_, x.rows, block.units());
  NormalizeSums(a, mean_.data(), variance_.data(), g, gradient.gamma.data(), gradient.beta.data());
  NormalizeBackward(a, mean_.data(), variance_.data(), block.gamma.data(), gradient.gamma.data(),
                    gradient.beta.data(), x.rows, g, delta);
  ActivateBackward(block.phi.activation, pooled, block.b.data(), a, delta, delta,
                   gradient.b.data());
  GopBackward(block.phi, x, block.w.view(), delta, scratch_, gradient.w.view(), {});
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

ColumnMoments BlockMoments(const Block& block, ConstView x, Inference& inference) {
  // With mean 0 and variance 1 - eps, inference returns the bare activations.
  const size_t units = block.units();
  Block bare = block;
  for (size_t j = 0; j < units; ++j) {
    bare.mean.data()[j] = 0;
    bare.variance.data()[j] = 1.0f - static_cast<float>(kBatchNormEps);
    bare.gamma.data()[j] = 1;
    bare.beta.data()[j] = 0;
  }
  ColumnMoments moments{std::vector<double>(units), std::vector<double>(units)};
  for (size_t first = 0; first < x.rows; first += Inference::kChunk) {
    const ConstView f =
        inference.Forward(bare, x.Rows(first, std::min(Inference::kChunk, x.rows - first)));
    for (size_t n = 0; n < f.rows; ++n) {
      for (size_t j = 0; j < units; ++j) {
        const double value = static_cast<double>(f.Row(n)[j]);
        moments.sum[j] += value;
        moments.squares[j] += value * value;
      }
    }
  }
  return moments;
}

void SetStatistics(const ColumnMoments& moments, size_t rows, Block& block) {
  const auto count = static_cast<double>(rows);
  for (size_t j = 0; j < block.units(); ++j) {
    const double mean = moments.sum[j] / count;
    block.mean.data()[j] = static_cast<float>(mean);
    block.variance.data()[j] =
        static_cast<float>(std::max(0.0, moments.squares[j] / count - mean * mean));
  }
}

void AppendTensors(Block& block, Block& gradient, std::vector<Trained>& tensors) {
  tensors.push_back({block.w.view(), gradient.w.view(), true});
  tensors.push_back({block.b.view(), gradient.b.view(), false});
  tensors.push_back({block.gamma.view(), gradient.gamma.view(), false});
  tensors.push_back({block.beta.view(), gradient.beta.view(), false});
}

void AppendTensors(Linear& linear, Linear& gradient, std::vector<Trained>& tensors) {
  tensors.push_back({linear.w.view(), gradient.w.view(), true});
  tensors.push_back({linear.b.view(), gradient.b.view(), false});
}

}  // namespace gopnet

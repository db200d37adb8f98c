#include "algorithms/bls_nodes.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "linalg/lasso.h"
#include "nn/ensemble.h"

namespace gopnet {
namespace {

Mat Ones(size_t rows) {
  Mat ones(rows, 1, 1);
  std::fill_n(ones.data(), rows, 1.0f);
  return ones;
}

}  // namespace

BlsNodes::BlsNodes(const Problem& problem, const BlsNodesConfig& config, int group_size,
                   uint64_t seed, Runtime& rt)
    : problem_(problem),
      config_(config),
      group_size_(static_cast<size_t>(group_size)),
      seed_(seed),
      rt_(rt),
      targets_(TargetMatrix(problem, problem.train)),
      target_mean_(config.intercept ? ColumnMeans(targets_.view(), weights())
                                    : std::vector<double>(problem.outputs)) {}

std::vector<double> BlsNodes::Mean(size_t steps) const {
  return {mean_.begin(), mean_.begin() + static_cast<std::ptrdiff_t>(steps * width())};
}

void BlsNodes::Add() {
  const auto number = static_cast<uint32_t>(steps_.size()) + 1;
  const StreamKey key{seed_, 1, number, 0};
  Group group;
  group.feature = FeatureGroup(key);
  const ConstView x = problem_.train.x.view(), x_val = problem_.val.x.view();
  const Mat z = BlockFeatures(group.feature, x, rt_.threads);
  const Mat z_val = BlockFeatures(group.feature, x_val, rt_.threads);
  z_ = SideBySide(z_, z);
  z_val_ = SideBySide(z_val_, z_val);
  group.enhancement = EnhancementGroup(key);
  Mat q = SideBySide(z, BlockFeatures(group.enhancement, z_.view(), rt_.threads));
  const Mat q_val = SideBySide(z_val, BlockFeatures(group.enhancement, z_val_.view(), rt_.threads));
  groups_.push_back(std::move(group));
  steps_.push_back(Multiply(q));
  a_ = SideBySide(a_, q);
  a_val_ = SideBySide(a_val_, q_val);
}

// W_e random, A = g(X~ W_e); beta = argmin 1/2 ||A beta - X~||^2 + mu ||beta||_1; W_f = beta^T,
// with X~ = [X, 1]. A node whose code is all zero keeps its random weights.
Block BlsNodes::FeatureGroup(const StreamKey& key) {
  const Mat& x = problem_.train.x;
  const size_t units = group_size_;
  Block block = RandomPerceptrons("sigmoid", x.cols(), units, config_.scale.Factor(x.cols()), key,
                                  Purpose::kFeatureNodes);
  const Mat a = BlockFeatures(block, x.view(), rt_.threads);
  const Columns nodes{a.view(), nullptr, weights()};
  const Mat input = SideBySide(x, Ones(x.rows()));  // X~
  const DenseMatrix gram = SelfGram(nodes, rt_.threads);
  const DenseMatrix rhs = CrossGram(nodes, {input.view(), nullptr, weights()}, rt_.threads);
  Refine(SparseCode(gram, rhs, config_.l1, config_.admm_rho, config_.admm.admm_iterations), block);
  config_.scale.Shrink(x.view(), block);
  return block;
}

void BlsNodes::Refine(const DenseMatrix& code, Block& block) {
  const size_t inputs = block.inputs();
  for (size_t j = 0; j < block.units(); ++j) {
    const double* row = code.Row(j);
    if (std::all_of(row, row + code.cols(), [](double v) { return v == 0; })) {
      if (!warned_)
        rt_.Warn(Join("l1 ", FormatValue(config_.l1),
                      " sets all weights of some feature nodes to 0; these nodes keep their random "
                      "weights"));
      warned_ = true;
      continue;
    }
    for (size_t i = 0; i < inputs; ++i) block.w.Row(i)[j] = static_cast<float>(row[i]);
    block.b.data()[j] = static_cast<float>(row[inputs]);
  }
}

// g(s [Z, 1] W_h), s such that no sum is larger than enhancement_scale on the training rows: a
// thousand random terms would saturate every sigmoid.
Block BlsNodes::EnhancementGroup(const StreamKey& key) const {
  Block block =
      RandomPerceptrons("sigmoid", z_.cols(), group_size_, 1, key, Purpose::kEnhancementNodes);
  if (config_.enhancement_scale == 0) return block;
  const Mat sums = Outputs(Network{{}, {block.w, block.b}}, z_.view());
  float largest = 0;
  for (size_t n = 0; n < sums.rows(); ++n)
    for (size_t j = 0; j < sums.cols(); ++j) largest = std::max(largest, std::fabs(sums(n, j)));
  ScaleWeights(config_.enhancement_scale / static_cast<double>(std::max(1e-12f, largest)), block);
  return block;
}

BlsNodes::Step BlsNodes::Multiply(const Mat& q) {
  const std::vector<double> mean =
      config_.intercept ? ColumnMeans(q.view(), weights()) : std::vector<double>(q.cols());
  const Columns before{a_.view(), mean_.data(), weights()};
  const Columns fresh{q.view(), mean.data(), weights()};
  Step step{mean_.empty() ? DenseMatrix(0, q.cols()) : CrossGram(before, fresh, rt_.threads),
            SelfGram(fresh, rt_.threads), CrossGram(fresh, Targets(), rt_.threads)};
  mean_.insert(mean_.end(), mean.begin(), mean.end());
  return step;
}

}  // namespace gopnet

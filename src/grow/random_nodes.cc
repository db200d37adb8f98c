#include "grow/random_nodes.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/rng.h"
#include "base/threads.h"
#include "grow/growth_steps.h"
#include "kernels/elementwise.h"
#include "linalg/gemm.h"
#include "linalg/ridge.h"
#include "nn/targets.h"

namespace gopnet {

double InputScaleConfig::Factor(size_t inputs) const {
  return in_scale == InScale::kAuto ? 1 / std::sqrt(static_cast<double>(inputs)) : 1;
}

void InputScaleConfig::Shrink(ConstView x, Block& block) const {
  if (in_scale != InScale::kAuto) return;
  constexpr double kSpread = 1.5;
  const double spread = Inference().PooledSpread(block, x.Rows(0, std::min<size_t>(x.rows, 1000)));
  if (spread > kSpread) ScaleWeights(kSpread / spread, block);
}

void ScaleWeights(double factor, Block& block) {
  for (Mat* m : {&block.w, &block.b})
    Scale(static_cast<float>(factor), m->rows() * m->stride(), m->data());
}

Block Perceptrons(const char* activation, size_t inputs, size_t units, Norm norm) {
  return MakeBlock(OperatorSetFromNames({"multiplication", "sum", activation}, ""), inputs, units,
                   norm);
}

Block RandomPerceptrons(const char* activation, size_t inputs, size_t units, double scale,
                        const StreamKey& key, Purpose purpose) {
  Block block = Perceptrons(activation, inputs, units);
  Rng rng(key, purpose);
  const auto draw = [&] { return static_cast<float>((2 * rng.Uniform() - 1) * scale); };
  for (size_t i = 0; i < inputs; ++i) std::generate_n(block.w.Row(i), units, draw);
  std::generate_n(block.b.data(), units, draw);
  return block;
}

Mat BlockFeatures(const Block& block, ConstView x, int threads) {
  constexpr size_t kPart = 16 * Inference::kChunk;
  Mat features(x.rows, block.units(), block.units());
  ParallelFor((x.rows + kPart - 1) / kPart, threads, [&](size_t i, int) {
    const size_t count = std::min(kPart, x.rows - i * kPart);
    const Mat part = BlockFeatures(block, x.Rows(i * kPart, count));
    std::copy_n(part.data(), count * part.stride(), features.Row(i * kPart));
  });
  return features;
}

Mat SideBySide(const Mat& a, const Mat& b) {
  const size_t cols = a.cols() + b.cols();
  Mat both(std::max(a.rows(), b.rows()), cols, cols);
  for (size_t n = 0; n < both.rows(); ++n) {
    if (a.cols() > 0) std::copy_n(a.Row(n), a.cols(), both.Row(n));
    if (b.cols() > 0) std::copy_n(b.Row(n), b.cols(), both.Row(n) + a.cols());
  }
  return both;
}

void GrowingColumns::Append(ConstView block) {
  if (cols_ + block.cols > room_.cols()) {
    const size_t width = std::max(cols_ + block.cols, 2 * cols_);
    Mat wider(rows_, width, width);
    for (size_t n = 0; cols_ > 0 && n < rows_; ++n) std::copy_n(room_.Row(n), cols_, wider.Row(n));
    room_ = std::move(wider);
  }
  for (size_t n = 0; n < rows_; ++n) std::copy_n(block.Row(n), block.cols, room_.Row(n) + cols_);
  cols_ += block.cols;
}

NormalEquations Normal(const Problem& problem, const Mat& h, const Mat& t, int threads) {
  const Columns columns{h.view(), nullptr, problem.train.Weights()};
  return {SelfGram(columns, threads),
          CrossGram(columns, {t.view(), nullptr, problem.train.Weights()}, threads)};
}

NormalEquations Normal(const Problem& problem, const Mat& h, int threads) {
  return Normal(problem, h, TargetMatrix(problem, problem.train), threads);
}

DenseMatrix NormalEquations::Ridge(double c) const { return RidgePath(gram, rhs).Solve(c); }

OutputLayer ToOutput(const DenseMatrix& w, const std::vector<double>& mean,
                     const std::vector<double>& target_mean) {
  OutputLayer output{Mat(w.rows(), w.cols()), Mat(1, w.cols())};
  std::vector<double> bias = target_mean;
  bias.resize(w.cols());
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t c = 0; c < w.cols(); ++c) {
      output.w.Row(i)[c] = static_cast<float>(w(i, c));
      if (!mean.empty()) bias[c] -= mean[i] * w(i, c);
    }
  }
  for (size_t c = 0; c < w.cols(); ++c) output.b.data()[c] = static_cast<float>(bias[c]);
  return output;
}

Score ScoreOutput(const Problem& problem, ConstView train, ConstView val,
                  const OutputLayer& output) {
  const Rows& rows = problem.selection();
  const ConstView features = problem.val.size() > 0 ? val : train;
  MetricSums sums(problem, rows);
  Mat out(std::min(rows.size(), Inference::kChunk), problem.outputs);
  for (size_t first = 0; first < rows.size(); first += Inference::kChunk) {
    const size_t count = std::min(Inference::kChunk, rows.size() - first);
    const MutView part = out.view().Rows(0, count);
    MatMul(features.Rows(first, count), output.w.view(), output.b.data(), part);
    sums.Add(first, part);
  }
  return FiniteScore(sums.Measure(problem.metric), sums.Loss());
}

}  // namespace gopnet

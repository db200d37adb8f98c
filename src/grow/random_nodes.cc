#include "grow/random_nodes.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/rng.h"
#include "grow/growth_steps.h"
#include "kernels/elementwise.h"
#include "linalg/ridge.h"
#include "nn/evaluate.h"

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
  DrawUniform(rng, scale, block.w);
  DrawUniform(rng, scale, block.b);
  return block;
}

Mat SideBySide(const Mat& a, const Mat& b) {
  const size_t cols = a.cols() + b.cols();
  Mat both(std::max(a.rows(), b.rows()), cols, cols);
  if (a.cols() > 0) CopyRows(a.view(), both.view());
  if (b.cols() > 0) CopyRows(b.view(), both.view().Part(0, a.cols(), b.rows(), b.cols()));
  return both;
}

NormalEquations Normal(const Problem& problem, const Mat& h, const Mat& t, int threads) {
  const Columns columns{h.view(), nullptr, problem.train.Weights()};
  return {SelfGram(columns, threads),
          CrossGram(columns, {t.view(), nullptr, problem.train.Weights()}, threads)};
}

NormalEquations Normal(const Problem& problem, const Mat& h, int threads) {
  return Normal(problem, h, TargetMatrix(problem, problem.train), threads);
}

DenseMatrix NormalEquations::Ridge(double c) const { return SolveRidge(gram, rhs, c); }

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
  const MetricSums sums = EvaluateNetwork(problem, problem.selection(), {{}, output},
                                          problem.val.size() > 0 ? val : train);
  return FiniteScore(sums.Measure(), sums.Loss());
}

}  // namespace gopnet

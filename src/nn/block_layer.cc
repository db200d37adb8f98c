#include "nn/block_layer.h"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise.h"
#include "linalg/gemm.h"
#include "nn/random_nodes.h"
#include "nn/targets.h"
#include "nn/temperature.h"

namespace gopnet {
namespace {

void DrawUniform(Rng rng, Mat& w) {  // U(-1, 1), row by row
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j) w.Row(i)[j] = static_cast<float>(2 * rng.Uniform() - 1);
  }
}

void SetWeights(const Mat& draw, double range, Mat& w) {
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j)
      w.Row(i)[j] = static_cast<float>(static_cast<double>(draw.Row(i)[j]) * range);
  }
}

// Rows [first, first + count) of w, then the others: blocks in another order.
Mat WithRowsLast(const Mat& w, size_t count) {
  Mat out(w.rows(), w.cols());
  const size_t rest = w.rows() - count;
  for (size_t i = 0; i < w.rows(); ++i)
    std::copy_n(w.Row(i < rest ? count + i : i - rest), w.cols(), out.Row(i));
  return out;
}

}  // namespace

BlockLayer::BlockLayer(Growth& net, const Problem& problem, const BlockConfig& config,
                       const TrainingConfig& training, uint64_t seed, Runtime& rt)
    : problem_(problem),
      config_(config),
      rt_(rt),
      task_(net.Task(config.block_size, training, seed, std::nullopt)),
      targets_(TargetMatrix(problem, problem.train)),
      target_mean_(ColumnMeans(targets_.view(), problem.train.Weights())),
      ridge_(config.ridge, problem.outputs) {
  NextTask();
}

void BlockLayer::NextTask() {
  task_.key.block = static_cast<uint32_t>(size()) + 1;
  if (size() == 0) return;
  task_.g_train = train_.view();
  task_.g_val = val_.view();
}

// The smallest r of a grid in [1e-3, 2 pi] for which the pooled values spread enough to leave the
// linear part of an activation, else the one of greatest spread: a median over neurons, on a sample
// of rows (their order is one of hashes).
double BlockLayer::RandomRange(Block& block, const Mat& draw, LayerWorkspace& work) const {
  if (config_.random_range) return *config_.random_range;
  constexpr int kSteps = 24;
  constexpr double kLow = 1e-3, kHigh = 2 * 3.14159265358979323846, kEnough = 1.5;
  const ConstView x = task_.x_train.Rows(0, std::min<size_t>(task_.x_train.rows, 256));
  double best_range = kLow, best = -1;
  for (int step = 0; step < kSteps; ++step) {
    const double range = kLow * std::pow(kHigh / kLow, step / (kSteps - 1.0));
    SetWeights(draw, range, block.w);
    std::vector<double> spread = work.inference.PooledDeviations(block, x);
    std::nth_element(spread.begin(), spread.begin() + spread.size() / 2, spread.end());
    const double median = spread[spread.size() / 2];
    if (median >= kEnough) return range;
    if (median > best) {
      best = median;
      best_range = range;
    }
  }
  return best_range;
}

// (H^T H + c I) W = H^T (T - t_mean) over centred columns H = [blocks so far, features], by the
// bordered update of the factor kept for the blocks so far; rows of W: the new features first.
OutputLayer BlockLayer::SolveOutput(const Mat& features) const {
  const float* weights = problem_.train.Weights();
  const std::vector<double> mean = ColumnMeans(features.view(), weights);
  const Columns fresh{features.view(), mean.data(), weights};
  const Columns before{train_.view(), mean_.data(), weights};
  const Columns targets{targets_.view(), target_mean_.data(), weights};
  const DenseMatrix cross = size() > 0 ? CrossGram(before, fresh, 1) : DenseMatrix(0, mean.size());
  const DenseMatrix w =
      ridge_.Solve(ridge_.Propose(cross, SelfGram(fresh, 1), CrossGram(fresh, targets, 1)));
  OutputLayer output{Mat(w.rows, w.cols), Mat(1, w.cols)};
  std::vector<double> bias = target_mean_;
  const size_t old = mean_.size();
  for (size_t i = 0; i < w.rows; ++i) {
    const size_t row = i < old ? mean.size() + i : i - old;
    const double centre = i < old ? mean_[i] : mean[i - old];
    for (size_t c = 0; c < w.cols; ++c) {
      output.w.Row(row)[c] = static_cast<float>(w(i, c));
      bias[c] -= centre * w(i, c);
    }
  }
  for (size_t c = 0; c < w.cols; ++c) output.b.data()[c] = static_cast<float>(bias[c]);
  return output;
}

LayerProposal BlockLayer::SolveDraw(const OperatorSet& phi, const StreamKey& key,
                                    LayerWorkspace& work) const {
  LayerProposal p{MakeBlock(phi, task_.x_train.cols, task_.units), {}};
  Mat draw(p.block.inputs(), p.block.units());
  DrawUniform(Rng(key, Purpose::kRandomBlock), draw);
  SetWeights(draw, RandomRange(p.block, draw, work), p.block.w);
  std::fill_n(p.block.gamma.data(), task_.units, 1.0f);
  FitStatistics(task_.x_train, work.inference, p.block);
  const Mat features = BlockFeatures(p.block, task_.x_train);
  if (!AllFinite(features.data(), features.rows() * features.stride())) return p;
  p.output = SolveOutput(features);
  const bool by_val = task_.x_val.rows > 0;
  MetricSums sums(problem_, by_val ? problem_.val : problem_.train);
  EvaluateInto(p.block, p.output, by_val ? task_.x_val : task_.x_train,
               by_val ? task_.g_val : task_.g_train, work, sums);
  p.score = {sums.Measure(problem_.metric), sums.Loss(), true};
  p.score.valid = std::isfinite(p.score.measure + p.score.loss);
  return p;
}

LayerProposal BlockLayer::Solve(const OperatorSet& phi, uint32_t op, LayerWorkspace& work) const {
  LayerProposal best;
  for (int draw = 0; draw < config_.draws; ++draw) {
    StreamKey key = task_.key;
    key.op = op + 65536 * static_cast<uint32_t>(draw);
    LayerProposal p = SolveDraw(phi, key, work);
    if (draw == 0 || Better(p.score, best.score, problem_.direction)) best = std::move(p);
  }
  return best;
}

void BlockLayer::Sharpen(LayerProposal& block, LayerWorkspace& work) const {
  if (!problem_.cross_entropy) return;
  const Mat features = SideBySide(BlockFeatures(block.block, task_.x_train), train_);
  Mat outputs(features.rows(), problem_.outputs);
  work.output_inference.Forward(block.output, features.view(), outputs.view());
  const double theta = FitTemperature(outputs, problem_.train.labels);
  for (Mat* m : {&block.output.w, &block.output.b})
    Scale(static_cast<float>(theta), m->rows() * m->stride(), m->data());
}

bool BlockLayer::Accept(const LayerProposal& block, BlockRecord record) {
  const auto number = static_cast<int>(size()) + 1;
  const bool improves = number == 1 || Improves(block.score.measure, score_.measure,
                                                problem_.direction, config_.block_threshold);
  if (rt_.observer != nullptr)
    rt_.observer->OnBlock(record, static_cast<int>(task_.key.layer), number, improves);
  record_.candidates += record.candidates;
  record_.epochs += record.epochs;
  if (!improves) return false;
  record_.blocks.push_back(std::move(record));
  const Mat features = BlockFeatures(block.block, task_.x_train);
  const float* weights = problem_.train.Weights();
  const std::vector<double> mean = ColumnMeans(features.view(), weights);
  const Columns fresh{features.view(), mean.data(), weights};
  const Columns before{train_.view(), mean_.data(), weights};
  const Columns targets{targets_.view(), target_mean_.data(), weights};
  const DenseMatrix cross =
      size() > 0 ? CrossGram(before, fresh, rt_.threads) : DenseMatrix(0, mean.size());
  ridge_.Accept(
      ridge_.Propose(cross, SelfGram(fresh, rt_.threads), CrossGram(fresh, targets, rt_.threads)));
  train_ = SideBySide(train_, features);
  val_ = SideBySide(val_, BlockFeatures(block.block, task_.x_val));
  mean_.insert(mean_.end(), mean.begin(), mean.end());
  layer_.blocks.push_back(block.block);
  output_ = {WithRowsLast(block.output.w, block.block.units()), block.output.b};
  score_ = block.score;
  NextTask();
  return number < config_.max_blocks && !IsPerfect(problem_.metric, score_.measure);
}

Proposal BlockLayer::Finish() {
  // Measured in the order in which the network sums, so that it scores exactly this.
  const Network net{{layer_}, output_};
  const auto measure = [&](const Rows& rows, ConstView x) {
    MetricSums sums(problem_, rows);
    Inference().Run(net, x, [&](size_t first, MutView out) { sums.Add(first, out); });
    return sums;
  };
  record_.units = static_cast<int>(layer_.units());
  record_.operator_set = Names(layer_.blocks[0].phi);
  record_.seconds = watch_.Seconds();
  const MetricSums train = measure(problem_.train, task_.x_train);
  const MetricSums val = task_.x_val.rows > 0 ? measure(problem_.val, task_.x_val)
                                              : measure(problem_.train, task_.x_train);
  record_.train = train.All();
  record_.val = val.All();
  return {layer_, output_, {val.Measure(problem_.metric), val.Loss(), true}, record_};
}

}  // namespace gopnet

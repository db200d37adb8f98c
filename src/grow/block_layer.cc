#include "grow/block_layer.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "grow/find_once.h"
#include "grow/random_nodes.h"
#include "kernels/elementwise.h"
#include "nn/evaluate.h"
#include "nn/temperature.h"

namespace gopnet {
namespace {

void SetWeights(const Mat& draw, double range, Mat& w) {
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j)
      w.Row(i)[j] = static_cast<float>(static_cast<double>(draw.Row(i)[j]) * range);
  }
}

// The first `count` rows of w last: blocks in another order.
Mat WithRowsLast(const Mat& w, size_t count) {
  Mat out(w.rows(), w.cols());
  const size_t rest = w.rows() - count;
  for (size_t i = 0; i < w.rows(); ++i)
    std::copy_n(w.Row(i < rest ? count + i : i - rest), w.cols(), out.Row(i));
  return out;
}

}  // namespace

BlockLayer::BlockLayer(GrowingNetwork& net, const Problem& problem, const BlockLayerConfig& config,
                       uint64_t seed, Runtime& rt)
    : net_(net),
      problem_(problem),
      config_(config),
      rt_(rt),
      task_(net.Task(config.blocks.block_size, config.training, seed, std::nullopt)),
      growth_(problem, {config.blocks}, false, static_cast<int>(task_.key.layer), rt),
      targets_(TargetMatrix(problem, problem.train)),
      target_mean_(ColumnMeans(targets_.view(), problem.train.Weights())),
      ridge_(config.random.ridge, problem.outputs) {
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
  if (config_.random.random_range) return *config_.random.random_range;
  constexpr int kSteps = 24;
  constexpr double kLow = 1e-3, kHigh = 2 * 3.14159265358979323846, kEnough = 1.5;
  const ConstView x = task_.x_train.Rows(0, std::min<size_t>(task_.x_train.rows, 256));
  double best_range = kLow, best = -1;
  for (int step = 0; step < kSteps; ++step) {
    const double range = kLow * real::Pow(kHigh / kLow, step / (kSteps - 1.0));
    SetWeights(draw, range, block.w);
    const double spread = work.inference.PooledSpread(block, x);
    if (spread >= kEnough) return range;
    if (spread > best) {
      best = spread;
      best_range = range;
    }
  }
  return best_range;
}

// The bordered update of the ridge problem for columns beside those of the blocks so far.
GrowingRidge::Border BlockLayer::Border(const Mat& features, const std::vector<double>& mean,
                                        int threads) const {
  const float* weights = problem_.train.Weights();
  const Columns fresh{features.view(), mean.data(), weights};
  const Columns before{train_.view(), mean_.data(), weights};
  const Columns targets{targets_.view(), target_mean_.data(), weights};
  const DenseMatrix cross =
      !mean_.empty() ? CrossGram(before, fresh, threads) : DenseMatrix(0, mean.size());
  return ridge_.Propose(cross, SelfGram(fresh, threads), CrossGram(fresh, targets, threads));
}

// (H^T H + c I) W = H^T (T - t_mean) over centred columns H = [blocks so far, features]; rows of W:
// the new features first.
OutputLayer BlockLayer::SolveOutput(const Mat& features) const {
  const std::vector<double> fresh = ColumnMeans(features.view(), problem_.train.Weights());
  std::vector<double> mean = mean_;
  mean.insert(mean.end(), fresh.begin(), fresh.end());
  OutputLayer output = ToOutput(ridge_.Solve(Border(features, fresh, 1)), mean, target_mean_);
  output.w = WithRowsLast(output.w, mean_.size());
  return output;
}

Score BlockLayer::Measure(const LayerProposal& p, LayerWorkspace& work) const {
  MetricSums sums(problem_, problem_.selection());
  EvaluateInto(p.block, p.output, task_.x_selection(), task_.g_selection(), work, sums);
  return FiniteScore(sums.Measure(), sums.Loss());
}

LayerProposal BlockLayer::SolveDraw(const OperatorSet& phi, const StreamKey& key,
                                    LayerWorkspace& work) const {
  LayerProposal p{MakeBlock(phi, task_.x_train.cols, task_.units), {}};
  Mat draw(p.block.inputs(), p.block.units());
  Rng rng(key, Purpose::kRandomBlock);
  DrawUniform(rng, 1, draw);
  SetWeights(draw, RandomRange(p.block, draw, work), p.block.w);
  std::fill_n(p.block.gamma.data(), task_.units, 1.0f);
  FitStatistics(task_.x_train, work.inference, p.block);
  const Mat features = BlockFeatures(p.block, task_.x_train);
  if (!AllFinite(features.data(), features.rows() * features.stride())) return p;
  p.output = SolveOutput(features);
  p.score = Measure(p, work);
  if (problem_.metric->needs == Needs::kLoss)
    FitLogitScale(p, work);  // as it will be measured in the end
  return p;
}

LayerProposal BlockLayer::Solve(const OperatorSet& phi, uint32_t op, LayerWorkspace& work) const {
  LayerProposal best;
  for (int draw = 0; draw < config_.random.draws; ++draw) {
    StreamKey key = task_.key;
    key.op = op + 65536 * static_cast<uint32_t>(draw);
    LayerProposal p = SolveDraw(phi, key, work);
    if (draw == 0 || Better(p.score, best.score, problem_.metric->direction)) best = std::move(p);
  }
  return best;
}

void BlockLayer::FitLogitScale(LayerProposal& block, LayerWorkspace& work) const {
  if (!problem_.softmax()) return;
  const Mat features = SideBySide(BlockFeatures(block.block, task_.x_train), train_);
  Mat outputs(features.rows(), problem_.outputs);
  work.output_inference.Forward(block.output, features.view(), outputs.view());
  const double theta = FitTemperature(outputs, problem_.train);
  for (Mat* m : {&block.output.w, &block.output.b})
    Scale(static_cast<float>(theta), m->rows() * m->stride(), m->data());
  block.score = Measure(block, work);
}

bool BlockLayer::AddBlock(const std::function<LayerProposal(BlockRecord&)>& find) {
  using FoundBlock = Found<BlockRecord>;
  const auto found = FindOnce<BlockRecord>(rt_, task_, [&]() -> std::optional<FoundBlock> {
    const Stopwatch watch;
    BlockRecord record{config_.blocks.block_size, {}, {}, 1};
    const LayerProposal block = find(record);
    if (!block.score.valid) return std::nullopt;
    record.operator_set = Names(block.block.phi);
    record.val = {{problem_.metric->name, block.score.measure}};
    record.seconds = watch.Seconds();
    return FoundBlock{block, record};
  });
  return found && Accept(found->proposal, found->record);
}

bool BlockLayer::Accept(const LayerProposal& block, const BlockRecord& record) {
  record_.candidates += record.candidates;
  record_.epochs += record.epochs;
  record_.diverged += record.diverged;
  record_.seconds += record.seconds;
  if (!growth_.Take(block.score, record)) return false;
  record_.blocks.push_back(record);
  layer_.blocks.push_back(block.block);
  output_ = {WithRowsLast(block.output.w, block.block.units()), block.output.b};
  record_.val = {{problem_.metric->name, block.score.measure}, {"loss", block.score.loss}};
  net_.Offer(layer_, output_, record_);
  const Mat features = BlockFeatures(block.block, task_.x_train);
  const std::vector<double> mean = ColumnMeans(features.view(), problem_.train.Weights());
  ridge_.Accept(Border(features, mean, rt_.threads));
  train_ = SideBySide(train_, features);
  val_ = SideBySide(val_, BlockFeatures(block.block, task_.x_val));
  mean_.insert(mean_.end(), mean.begin(), mean.end());
  NextTask();
  return growth_.GoOn();
}

std::optional<Proposal> BlockLayer::Finish() {
  if (layer_.blocks.empty()) return std::nullopt;
  // Measured in the order in which the network sums, so that it scores exactly this.
  const Network net{{layer_}, output_};
  record_.units = static_cast<int>(layer_.units());
  record_.operator_set = Names(layer_.blocks[0].phi);
  record_.train = EvaluateNetwork(problem_, problem_.train, net, task_.x_train).AsChosen();
  record_.val = task_.x_val.rows > 0
                    ? EvaluateNetwork(problem_, problem_.val, net, task_.x_val).AsChosen()
                    : record_.train;
  const Score score{record_.val.at(problem_.metric->name), record_.val.at("loss"), true};
  return Proposal{layer_, output_, score, record_};
}

}  // namespace gopnet

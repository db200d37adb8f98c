#include "grow/growth_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/check.h"
#include "nn/evaluate.h"

namespace gopnet {
namespace {

// Measures a network, into the record of its last layer.
Score MeasureNetwork(const Problem& problem, const Network& net, LayerRecord& record) {
  record.train = EvaluateNetwork(problem, problem.train, net).All();
  record.val = problem.val.size() ? EvaluateNetwork(problem, problem.val, net).All() : record.train;
  return FiniteScore(record.val.at(problem.metric->name), record.val.at("loss"));
}

std::string Shortened(double score) {
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%.4f", score);
  return {text, static_cast<size_t>(std::clamp(size, 0, 31))};
}

}  // namespace

Score FiniteScore(double measure, double loss) {
  return {measure, loss, std::isfinite(measure + loss)};
}

bool StopRule::Take(const Score& score) {
  const bool improves =
      score.valid && (!best_.valid || Improves(score.measure, best_.measure,
                                               problem_.metric->direction, threshold_));
  last_ = score;
  without_gain_ = improves ? 0 : without_gain_ + 1;
  const bool taken = improves || (score.valid && keep_last_ && exhausted());
  before_ = best_;
  if (taken) best_ = score;
  return taken;
}

std::string StopRule::Reason(const std::string& step) const {
  const std::string measure =
      std::string(problem_.val.size() ? "validation " : "training ") + problem_.metric->name;
  if (exhausted() && !last_.valid) return Join(step, " has outputs that are not finite");
  if (exhausted())
    return Join(step, " did not improve ", measure, " (", Shortened(last_.measure), ", best ",
                Shortened(before_.measure), ")");
  return perfect() ? Join(step, " reached a perfect ", measure) : "";
}

LayerGrowth::LayerGrowth(const Problem& problem, const StopConfig& config, int max_layers,
                         Runtime& rt, bool keep_last)
    : problem_(problem),
      config_(config),
      max_layers_(max_layers),
      rt_(rt),
      rule_(problem, config.layer_threshold, config.patience, keep_last) {}

Network LayerGrowth::Grow(const std::function<Network(LayerRecord&)>& add_layer) {
  for (bool go_on = true; go_on;) {
    rt_.CheckStop();
    const Stopwatch watch;
    LayerRecord record;
    const Network net = add_layer(record);
    if (record.units == 0) record.units = static_cast<int>(net.layers.back().units());
    record.operator_set = Names(net.layers.back().blocks[0].phi);
    const Score score = MeasureNetwork(problem_, net, record);
    record.seconds = watch.Seconds();
    go_on = Accept(net, score, record);
  }
  return best_;
}

bool LayerGrowth::Accept(const Network& net, const Score& score, LayerRecord record) {
  ++depth_;
  record.ranks_only = rt_.later_visits > 0;
  const bool taken = rule_.Take(score);
  if (rt_.observer != nullptr) rt_.observer->OnLayer(record, depth_, taken);
  trial_.push_back(record);
  if (taken) {  // what was on trial is part of the best network now
    best_ = net;
    rt_.history.layers.insert(rt_.history.layers.end(), trial_.begin(), trial_.end());
    trial_.clear();
    if (rt_.checkpoint) rt_.checkpoint(best_);
  }
  const std::string reason = ReasonToStop(taken, score);
  Check(reason.empty() || !best_.layers.empty(),
        "the outputs of the first layer are not finite; check the data for extreme values");
  if (!reason.empty()) Stop(reason);
  return reason.empty();
}

void LayerGrowth::Offer(const Network& net, const LayerRecord& record) {
  if (!best_.layers.empty()) return;
  rt_.history.layers = {record};
  rt_.Offer(net);
  rt_.history.layers.clear();
}

std::string LayerGrowth::ReasonToStop(bool taken, const Score& score) const {
  const std::string layer = Join("layer ", depth_);
  const bool reached = taken && config_.target_loss && score.loss < *config_.target_loss;
  if (reached && !rule_.exhausted())
    return Join(layer, " reached the target loss ", FormatValue(*config_.target_loss));
  const std::string reason = rule_.Reason(layer);
  if (!reason.empty() || depth_ < max_layers_) return reason;
  return trial_.empty() ? "reached the maximum number of layers"
                        : "tried the maximum number of layers";
}

void LayerGrowth::Stop(const std::string& reason) {
  rt_.history.stopped = reason;
  rt_.history.rejected = trial_;
}

BlockGrowth::BlockGrowth(const Problem& problem, const PatientBlocksConfig& config, bool keep_last,
                         int layer, Runtime& rt)
    : problem_(problem),
      max_blocks_(config.max_blocks),
      layer_(layer),
      rt_(rt),
      rule_(problem, config.block_threshold, config.block_patience, keep_last) {}

bool BlockGrowth::GoOn() const {
  return static_cast<int>(records_.size()) < max_blocks_ && !rule_.exhausted() && !rule_.perfect();
}

bool BlockGrowth::Take(const Score& score, const BlockRecord& record) {
  const bool taken = rule_.Take(score);
  records_.push_back(record);
  const auto number = static_cast<int>(records_.size());
  if (rt_.observer != nullptr) rt_.observer->OnBlock(record, layer_, number, taken);
  if (taken) best_ = number;
  return taken;
}

void BlockGrowth::Finish(const Network& net) {
  const size_t steps = records_.size();
  const std::string reason = rule_.Reason(Join("step ", steps));
  rt_.history.stopped = reason.empty() ? Join("completed all ", steps, " steps") : reason;
  LayerRecord record;
  const Score score = MeasureNetwork(problem_, net, record);
  const auto layers = static_cast<int>(net.layers.size());
  record.blocks = records();
  for (const BlockRecord& block : record.blocks) record.units += block.units / layers;
  record.operator_set = Names(net.layers[0].blocks[0].phi);
  record.seconds = watch_.Seconds() / layers;
  for (int k = 1; k <= layers; ++k) {
    rt_.history.layers.push_back(record);
    if (rt_.observer != nullptr) rt_.observer->OnLayer(record, k, true);
  }
  if (rt_.checkpoint && score.valid) rt_.checkpoint(net);
}

}  // namespace gopnet

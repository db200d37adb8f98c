#include "nn/progression.h"

#include "base/check.h"
#include "base/visit.h"

namespace gopnet {

bool StopRule::Take(const Score& score) {
  if (!score.valid) {  // NaN may still have an accuracy
    ++without_gain_;
    return false;
  }
  if (!best_.valid || Improves(score.measure, best_.measure, problem_.direction, threshold_)) {
    best_ = score;
    without_gain_ = 0;
    return true;
  }
  ++without_gain_;
  if (!keep_last_ || !exhausted()) return false;
  best_ = score;
  return true;
}

Progression::Progression(const Problem& problem, const StopConfig& config, int max_layers,
                         Runtime& rt, bool keep_last)
    : problem_(problem),
      config_(config),
      max_layers_(max_layers),
      rt_(rt),
      rule_(problem, config.layer_threshold, config.patience, keep_last) {}

bool Progression::Accept(const Network& net, const Score& score, const LayerRecord& record) {
  ++depth_;
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

void Progression::Offer(const Network& net, const LayerRecord& record) {
  if (!best_.layers.empty()) return;
  rt_.history.layers = {record};
  rt_.Offer(net);
  rt_.history.layers.clear();
}

std::string Progression::ReasonToStop(bool taken, const Score& score) const {
  const std::string measure = (problem_.val.size() ? "validation " : "training ") + problem_.metric;
  if (rule_.exhausted()) {
    return Join("layer ", depth_, " improved ", measure, " by less than ",
                FormatValue(config_.layer_threshold));
  }
  if (taken && config_.target_loss && score.loss < *config_.target_loss) {
    return Join("layer ", depth_, " reached the target loss ", FormatValue(*config_.target_loss));
  }
  if (taken && rule_.perfect()) return Join("layer ", depth_, " is perfect by ", measure);
  if (depth_ < max_layers_) return "";
  return trial_.empty() ? "all layers are in place" : "all layers were tried";
}

void Progression::Stop(const std::string& reason) {
  rt_.history.stopped = reason;
  rt_.history.rejected = trial_;
}

}  // namespace gopnet

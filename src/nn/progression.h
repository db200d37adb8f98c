// Growth as the paper's algorithms have it: each step proposes a network, the relative rule says
// whether it improves, and the best so far is what remains. Keeps the history.
#pragma once

#include "nn/config.h"
#include "nn/metric.h"
#include "nn/runtime.h"

namespace gopnet {

// The stop rule for a sequence of scores: layers, or the blocks of a layer.
class StopRule {
 public:
  StopRule(const Problem& problem, double threshold, int patience, bool keep_last)
      : problem_(problem), threshold_(threshold), patience_(patience), keep_last_(keep_last) {}
  // Whether this step becomes the best so far: it is the first, or improves; or it is the one that
  // ends growth and the last one is kept.
  bool Take(const Score& score);
  bool exhausted() const { return without_gain_ >= patience_; }
  bool perfect() const { return IsPerfect(problem_.metric, best_.measure); }
  const Score& best() const { return best_; }

 private:
  const Problem& problem_;
  double threshold_;
  int patience_;
  bool keep_last_;
  Score best_;
  int without_gain_ = 0;
};

class Progression {
 public:
  // keep_last: the layer that ends growth stays, as the baselines' published codes have it.
  Progression(const Problem& problem, const StopConfig& config, int max_layers, Runtime& rt,
              bool keep_last = false);
  // The network with one more layer, on `record`. False if growth ends here.
  bool Accept(const Network& net, const Score& score, const LayerRecord& record);
  // A first layer, or a part of it, that stands for the network if the run ends before the layer is
  // complete.
  void Offer(const Network& net, const LayerRecord& record);
  void Stop(const std::string& reason);
  const Network& best() const { return best_; }

 private:
  std::string ReasonToStop(bool taken, const Score& score) const;

  const Problem& problem_;
  StopConfig config_;
  int max_layers_;
  Runtime& rt_;
  StopRule rule_;
  Network best_;
  int depth_ = 0;
  std::vector<LayerRecord> trial_;  // layers after the best
};

}  // namespace gopnet

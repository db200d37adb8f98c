// How networks grow, and who does what:
//   StopRule        is told one score after another, and says which is the best and when to stop.
//   LayerGrowth     applies it to layers: keeps the best network and the history, tells observers.
//   BlockGrowth     applies it to the blocks of one layer.
//   GrowingNetwork  a network of GOPs under a LayerGrowth: it makes the task of the next layer.
//   BlockLayer      a layer of such a network under a BlockGrowth (HeMLGOP and its relatives).
#pragma once

#include <functional>

#include "nn/metric.h"
#include "train/config.h"
#include "train/runtime.h"

namespace gopnet {

// Not valid if either number is not finite: NaN may still have an accuracy.
Score FiniteScore(double measure, double loss);

class StopRule {
 public:
  // keep_last: the step that ends growth stays, as the baselines' published codes have it.
  StopRule(const Problem& problem, double threshold, int patience, bool keep_last)
      : problem_(problem), threshold_(threshold), patience_(patience), keep_last_(keep_last) {}
  // Whether this step becomes the best so far: it is the first, or improves; or it is the one that
  // ends growth and the last one is kept.
  bool Take(const Score& score);
  bool exhausted() const { return without_gain_ >= patience_; }
  // A few rows are soon all right, and say little about others.
  bool perfect() const {
    constexpr size_t kEnough = 100;
    return best_.valid && IsPerfect(*problem_.metric, best_.measure) &&
           problem_.selection().size() >= kEnough;
  }
  const Score& best() const { return best_; }
  // Why growth ends after `step` ("layer 3"), in words; empty if it goes on.
  std::string Reason(const std::string& step) const;

 private:
  const Problem& problem_;
  double threshold_;
  int patience_;
  bool keep_last_;
  Score best_, last_, before_;  // before_: the best when the last one came
  int without_gain_ = 0;
};

class LayerGrowth {
 public:
  LayerGrowth(const Problem& problem, const StopConfig& config, int max_layers, Runtime& rt,
              bool keep_last = false);
  // Adds layers until the stop rule ends it and returns the best network. add_layer returns the
  // network with one more layer, and its blocks on the record.
  Network Grow(const std::function<Network(LayerRecord&)>& add_layer);
  // The network with one more layer. False if growth ends here.
  bool Accept(const Network& net, const Score& score, LayerRecord record);
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

class BlockGrowth {
 public:
  BlockGrowth(const Problem& problem, const PatientBlocksConfig& config, bool keep_last, int layer,
              Runtime& rt);
  // Adds blocks until the stop rule ends it and returns the best step. propose(j) returns the one
  // with j blocks, a value with a `score`; as_network(step) is what the run hands on if it is
  // stopped in its first layer. `record` has what the blocks have in common.
  template <class Step, class Propose, class AsNetwork>
  Step Grow(BlockRecord record, const Propose& propose, const AsNetwork& as_network) {
    std::optional<Step> best;
    const auto add_blocks = [&] {
      while (GoOn()) {
        rt_.CheckStop();
        const Stopwatch watch;
        Step step = propose(static_cast<int>(records_.size()) + 1);
        record.val = {{problem_.metric->name, step.score.measure}};
        record.seconds = watch.Seconds();
        if (Take(step.score, record)) best = std::move(step);
      }
    };
    OfferIfStopped(add_blocks, [&] {
      if (best && layer_ == 1) rt_.Offer(std::invoke(as_network, *best));
    });
    Check(best.has_value(),
          "the outputs of the first step are not finite; check the data for extreme values");
    return std::move(*best);
  }
  // One more block, measured; whether it makes the best layer so far.
  bool Take(const Score& score, const BlockRecord& record);
  bool GoOn() const;
  // Of the blocks of the best layer.
  std::vector<BlockRecord> records() const { return {records_.begin(), records_.begin() + best_}; }
  // Writes the history of a network whose layers all grew together by these blocks (BLS).
  void Finish(const Network& net);

 private:
  const Problem& problem_;
  int max_blocks_;
  int layer_;
  Runtime& rt_;
  StopRule rule_;
  Stopwatch watch_;
  std::vector<BlockRecord> records_;  // of all blocks tried
  int best_ = 0;                      // so many of them make the best layer
};

}  // namespace gopnet

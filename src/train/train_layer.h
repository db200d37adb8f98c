// Training of a layer proposal (TrainSHLN of arXiv:1808.06377): a single-hidden-layer network on
// fixed inputs X_k,
//   X_k -> GOP block -> batch norm -> [concatenate memory] -> dropout -> output -> loss,
// the output linear or, in POP, a layer of GOPs; by Adam in learning-rate stages, keeping the best
// epoch. A proposal can be paused at any epoch and go on later with the same result, which is what
// successive halving does.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "nn/metric.h"
#include "train/batches.h"
#include "train/block_pass.h"
#include "train/config.h"

namespace gopnet {

// A trained layer: a value that an algorithm accepts or drops.
struct LayerProposal {
  Block block;
  OutputLayer output;
  Score score = {};
  int best_epoch = 0;
};
decltype(auto) Fields(auto& a, LayerProposal& p) {
  return a(p.block, p.output, p.score, p.best_epoch);
}

// What all candidates of a search share: the fixed inputs of the layer and the memory that the
// output sees.
struct LayerTask {
  const Problem& problem;
  ConstView x_train, x_val;
  ConstView g_train, g_val;  // fixed features beside the block's; data null if there are none
  size_t units = 0;
  TrainingConfig config;
  double input_dropout = 0;  // on X_k
  StreamKey key;
  // Called with the best proposal so far if the run is stopped before it has a network; may be
  // empty.
  std::function<void(const LayerProposal&)> offer = {};

  // The inputs and memory features of Problem::selection().
  ConstView x_selection() const { return x_val.rows > 0 ? x_val : x_train; }
  ConstView g_selection() const { return x_val.rows > 0 ? g_val : g_train; }
};

// Throws Error, naming `source`, unless the proposal is one for this task.
void CheckShapes(const LayerProposal& proposal, const LayerTask& task, const std::string& source);

// What is trained: a block under a linear output, or under one with an operator set (POP).
struct OperatorPair {
  OperatorSet hidden;
  std::optional<OperatorSet> output;
  OperatorPair(const OperatorSet& h, std::optional<OperatorSet> o = {})  // NOLINT: linear is usual
      : hidden(h), output(o) {}
};

// Buffers of one worker, reused from candidate to candidate.
struct LayerWorkspace {
  BlockPass pass;
  Inference inference, output_inference;
  OutputPass output;
  Mat hidden, mask, outputs, output_t;
  std::vector<uint32_t> order;  // of the rows in this epoch
};

class LayerTraining {
 public:
  LayerTraining(const LayerTask& task, const OperatorPair& phi, uint32_t op_index);
  // From given weights instead of random ones (HeMLGOP). Without validation rows its epochs are
  // measured like its start: without dropout.
  LayerTraining(const LayerTask& task, const LayerProposal& start);
  LayerTraining(const LayerTraining&) = delete;  // the optimiser points to its tensors
  LayerTraining& operator=(const LayerTraining&) = delete;
  // Trains up to `epoch` epochs in all (or to the end of patience). go_on is asked after every
  // epoch.
  void Advance(int epoch, LayerWorkspace& work, const std::function<bool()>& go_on);
  const LayerProposal& best() const { return best_; }
  bool diverged() const { return diverged_; }
  int epochs() const { return epoch_; }
  const std::vector<Score>& curve() const { return curve_; }  // of the start and every epoch

  // Everything needed to go on with the training, or to use the best so far.
  std::string Save() const;
  // `state` is what Save returned for the same candidate; anything else is an Error naming
  // `source`.
  void Restore(std::string_view state, const std::string& source);

 private:
  void Epoch(LayerWorkspace& work);
  void Step(LayerWorkspace& work, uint64_t dropout_key);
  ConstView Hidden(ConstView f, LayerWorkspace& work, uint64_t dropout_key);
  void Consider(LayerWorkspace& work);
  void Judge(LayerWorkspace& work);
  Score Evaluate(LayerWorkspace& work) const;
  void EnterStage();

  LayerTask task_;
  StreamKey key_;
  Block block_, block_gradient_;
  OutputLayer output_, output_gradient_;
  RunningStatistics statistics_;
  Optimizer optimizer_;
  Batch batch_;
  LayerProposal best_;
  std::vector<Score> curve_;
  int epoch_ = 0;
  double lr_ = 0;
  bool started_ = false;
  bool running_measure_ =
      false;  // without validation rows: score the batches while they are trained
  bool diverged_ = false;
  double running_loss_ = 0, running_hits_ = 0;
};

// Runs block, memory features g and output over all rows of x and collects what a measure needs.
void EvaluateInto(const Block& block, const OutputLayer& output, ConstView x, ConstView g,
                  LayerWorkspace& work, MetricSums& sums);

// The block's batch statistics on all rows of x.
void FitStatistics(ConstView x, Inference& inference, Block& block);

// Glorot uniform weights, l = sqrt(6 / (inputs + outputs)).
void InitializeWeights(Rng rng, Mat& w);

}  // namespace gopnet

// Training of a layer proposal (TrainSHLN of arXiv:1808.06377): a single-hidden-layer network on
// fixed inputs X_k,
//   X_k -> GOP block -> batch norm -> [concatenate memory] -> dropout -> linear output -> loss,
// by Adam in learning-rate stages, keeping the best epoch. A proposal can be paused at any epoch
// and go on later with the same result, which is what successive halving does.
#pragma once

#include <functional>

#include "base/rng.h"
#include "nn/batches.h"
#include "nn/block_pass.h"
#include "nn/config.h"
#include "nn/metric.h"

namespace gopnet {

// What all candidates of a search share: the fixed inputs of the layer and the memory that the
// output sees.
struct LayerTask {
  const Problem& problem;
  ConstView x_train, x_val;
  ConstView g_train, g_val;  // memory features beside the block's; data null if there are none
  size_t units = 0;
  TrainingConfig config;
  double input_dropout = 0;  // on X_k
  StreamKey key;
};

// A trained layer: a value that an algorithm accepts or drops.
struct LayerProposal {
  Block block;
  Linear output;
  Score score;
  int best_epoch = 0;
};

// Buffers of one worker, reused from candidate to candidate.
struct LayerWorkspace {
  BlockPass pass;
  Inference inference;
  Mat hidden, mask, input_mask, outputs, dhidden, output_t;
  std::vector<uint32_t> order;  // of the rows in this epoch
};

class LayerTraining {
 public:
  LayerTraining(const LayerTask& task, const OperatorSet& phi, uint32_t op_index);
  LayerTraining(const LayerTraining&) = delete;  // the optimiser looks at its tensors
  LayerTraining& operator=(const LayerTraining&) = delete;
  // Trains up to `epoch` epochs in all (or to the end of patience). go_on is asked after every
  // epoch.
  void Advance(int epoch, LayerWorkspace& work, const std::function<bool()>& go_on);
  const LayerProposal& best() const { return best_; }
  bool diverged() const { return diverged_; }
  int epochs() const { return epoch_; }

 private:
  void Initialize();
  void FitStatistics(LayerWorkspace& work);
  void Epoch(LayerWorkspace& work);
  void Step(LayerWorkspace& work, uint64_t dropout_key, uint64_t input_key);
  ConstView Hidden(ConstView f, LayerWorkspace& work, uint64_t dropout_key);
  void Consider(LayerWorkspace& work);
  Score Evaluate(LayerWorkspace& work) const;
  void EnterStage();

  LayerTask task_;
  StreamKey key_;
  Block block_, block_gradient_;
  Linear output_, output_gradient_;
  RunningStatistics statistics_;
  Optimizer optimizer_;
  Batch batch_;
  std::vector<std::pair<size_t, size_t>> ranges_;
  LayerProposal best_;
  int epoch_ = 0;
  double lr_ = 0;
  bool started_ = false;
  bool diverged_ = false;
  double running_loss_ = 0, running_hits_ = 0;
};

// Runs block, memory features g and output over all rows of x and collects what a measure needs.
void EvaluateInto(const Block& block, const Linear& output, ConstView x, ConstView g,
                  LayerWorkspace& work, MetricSums& sums);

// Glorot uniform weights U(-l, l), l = sqrt(6 / (inputs + outputs)), drawn row by row.
void InitializeWeights(Rng rng, Mat& w);

}  // namespace gopnet

// A layer that grows block by block (HeMLGOP and its relatives): each new block stands beside the
// fixed ones, and the output layer sees all of them. A block's weights are random and the output
// layer is solved by ridge regression; back-propagation may follow.
#pragma once

#include "grow/growing_network.h"
#include "linalg/ridge.h"

namespace gopnet {

// How blocks are found.
struct RandomBlockConfig : RidgeConfig {
  std::optional<double> random_range;
  int draws = 1;
  void Visit(FieldVisitor& v) {
    RidgeConfig::Visit(v);
    v(random_range,
      {.name = "random_range",
       .range = {0, 1000},
       .doc = "Random weights are uniform in [-r, r]; none uses, for each operator set, the "
              "smallest r that gives pooled values a standard deviation of 1.5."});
    v(draws, {.name = "draws",
              .range = {1, 1000},
              .doc = "Number of random draws per operator set; validation chooses one."});
  }
};

struct BlockLayerConfig {
  BlocksConfig blocks;
  RandomBlockConfig random;
  TrainingConfig training;  // of blocks that are trained afterwards
};

class BlockLayer {
 public:
  // On the inputs X_k of the layer to come.
  BlockLayer(GrowingNetwork& net, const Problem& problem, const BlockLayerConfig& config,
             uint64_t seed, Runtime& rt);

  // The task of the next block: block_size neurons on X_k, the blocks so far beside them.
  const LayerTask& task() const { return task_; }
  // A block with random weights and operators phi, and the output layer by ridge regression over
  // [new block, blocks so far]. An invalid score if its features are not finite.
  LayerProposal Solve(const OperatorSet& phi, uint32_t op, LayerWorkspace& work) const;
  // Ridge outputs lie around [0, 1]: scales them so that as logits they fit the training classes
  // best.
  void FitLogitScale(LayerProposal& block, LayerWorkspace& work) const;

  // A first block that stands for the network if the run ends before it is accepted.
  void Offer(const LayerProposal& block) const {
    if (size() == 0 && task_.offer) task_.offer(block);
  }
  // Adds the block that `find` returns, unless an earlier part of the run has found it. False if
  // the layer ends here. `find` adds what it took to the record.
  bool AddBlock(const std::function<LayerProposal(BlockRecord&)>& find);
  // Accepts the block if it improves on those before it (the first always). False if it ends here.
  bool Accept(const LayerProposal& block, const BlockRecord& record);
  size_t size() const { return layer_.blocks.size(); }
  const OperatorSet& first_phi() const { return layer_.blocks[0].phi; }
  // The layer of all accepted blocks; empty if there is none.
  std::optional<Proposal> Finish();

 private:
  double RandomRange(Block& block, const Mat& draw, LayerWorkspace& work) const;
  LayerProposal SolveDraw(const OperatorSet& phi, const StreamKey& key, LayerWorkspace& work) const;
  GrowingRidge::Border Border(const Mat& features, const std::vector<double>& mean,
                              int threads) const;
  OutputLayer SolveOutput(const Mat& features) const;
  Score Measure(const LayerProposal& p, LayerWorkspace& work) const;
  void NextTask();

  GrowingNetwork& net_;
  const Problem& problem_;
  BlockLayerConfig config_;
  Runtime& rt_;
  LayerTask task_;
  BlockGrowth growth_;
  Mat targets_;  // N x C: one-hot classes or standardised targets
  std::vector<double> target_mean_;
  Layer layer_;
  Mat train_, val_;  // features of the blocks so far
  std::vector<double> mean_;
  GrowingRidge ridge_;
  OutputLayer output_;  // over the blocks in their order
  LayerRecord record_;
};

// The search of HeMLGOP and its relatives: random weights and a ridge output for every operator
// set. The best of `sets`, or an invalid proposal. Adds what the search took to `record`.
LayerProposal SearchRandomBlock(Runtime& rt, const BlockLayer& layer,
                                const LibraryConfig& operators, const std::vector<Candidate>& sets,
                                BlockRecord& record);

}  // namespace gopnet

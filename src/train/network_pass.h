// The whole network in training mode on one batch: forward with dropout, backward to every tensor,
// on the threads of a team. A batch is cut into shards of rows that depend on its size alone;
// gradients are summed over the shards in their order. So the result is the same for any number of
// threads. Batch statistics need all rows: the threads meet once a layer, forward and backward.
#pragma once

#include <vector>

#include "base/team.h"
#include "nn/network.h"
#include "train/block_pass.h"

namespace gopnet {

// One pass per network: its buffers keep the shapes of the first.
class NetworkPass {
 public:
  explicit NetworkPass(Team& team) : team_(team) {}
  // Outputs for the batch x; valid until the next call. mask_keys: one dropout key per layer.
  MutView Forward(const Network& net, ConstView x, double dropout,
                  const std::vector<uint64_t>& mask_keys);
  // doutputs = dLoss/doutputs. Fills `gradient`, a Network of the same shape. Forward came just
  // before.
  void Backward(const Network& net, ConstView x, ConstView doutputs, bool memory,
                Network& gradient);

 private:
  struct BlockBuffers {
    std::vector<GopScratch> scratch;  // one per shard
    size_t column = 0;                // where the block stands in the layer's output
    Mat pooled, a, mean, variance, f, df;
    Mat dgamma, dbeta;  // one row per shard
    Mat dx;             // of all blocks but the first, whose gradient is the first term of the sum
  };
  struct LayerBuffers {
    std::vector<BlockBuffers> blocks;
    Mat mask, hidden, dhidden;
    Mat centred, g;  // memory: its scaled input and output
    Mat dg, through, pt;
  };
  struct Shard {
    size_t index, first, count;
    MutView Of(Mat& m) const { return m.view().Rows(first, count); }
    ConstView Of(ConstView m) const { return m.Rows(first, count); }
  };
  template <class F>
  void ForEachShard(const F& run);
  void SumPartials(bool memory, Network& gradient);
  ConstView Input(size_t layer, ConstView x);
  void MakeRoom(const Network& net);
  void MakeRoom(const Block& block, size_t column, BlockBuffers& b) const;
  void Activations(const Layer& layer, ConstView x, const Shard& s, LayerBuffers& b);
  void Outputs(const Layer& layer, ConstView x, double dropout, uint64_t key, const Shard& s,
               LayerBuffers& b);
  void BackwardNormalization(const Shard& s, LayerBuffers& b);
  void SumNormalization(LayerBuffers& b, Layer& gradient);
  void BackwardBlock(const Block& block, ConstView x, const Shard& s, BlockBuffers& b,
                     Block& gradient, MutView dx);
  void BackwardLayer(const Layer& layer, ConstView x, const Shard& s, LayerBuffers& b,
                     Layer& gradient, bool memory, MutView dx);
  void BackwardMemory(const Projection& memory, const Shard& s, LayerBuffers& b,
                      Projection* gradient, MutView dx);

  Team& team_;
  size_t rows_ = 0;
  std::vector<LayerBuffers> layers_;
  std::vector<OutputPass> output_;  // one per shard
  Mat outputs_, output_t_;
  std::vector<Network> partial_;  // gradients of the shards
  std::vector<std::vector<MutView>> partial_tensors_;
  std::vector<MutView> sums_;
};

}  // namespace gopnet

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
  // doutputs = dLoss/doutputs. Fills `gradient`, a Network of the same shape and the same object in
  // every call. Forward came just before.
  void Backward(const Network& net, ConstView x, ConstView doutputs, bool memory,
                Network& gradient);

 private:
  struct BlockBuffers {
    BlockPass pass;
    size_t column = 0;  // where the block stands in the layer's output
    Mat dx;             // of all blocks but the first, whose gradient is the first term of the sum
  };
  struct LayerBuffers {
    std::vector<BlockBuffers> blocks;
    Mat mask, hidden, dhidden;
    Mat centred, g;  // memory: its scaled input and output
    Mat dg, through, pt;
  };
  template <class F>
  void ForEachShard(const F& run);
  ConstView Input(size_t layer, ConstView x);
  void MakeRoom(const Network& net);
  void Outputs(const Layer& layer, ConstView x, double dropout, uint64_t key, const Shard& s,
               LayerBuffers& l);
  void BackwardHidden(const Shard& s, LayerBuffers& l, Layer& gradient);
  void SumNorms(size_t layer, Layer& gradient);
  void BackwardLayer(const Layer& layer, ConstView x, const Shard& s, LayerBuffers& l,
                     const Layer& sums, Layer& gradient, bool memory, MutView dx);
  void BackwardMemory(const Projection& memory, const Shard& s, LayerBuffers& l,
                      Projection* gradient, MutView dx);

  Team& team_;
  size_t rows_ = 0;
  std::vector<LayerBuffers> layers_;
  std::vector<OutputPass> output_;  // one per shard
  Mat outputs_, output_t_;
  std::vector<Network> partial_;                       // gradients of the shards
  std::vector<std::vector<Trained>> partial_tensors_;  // of each, beside those of their sum
};

}  // namespace gopnet

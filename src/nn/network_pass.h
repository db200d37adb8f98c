// The whole network in training mode on one batch: forward with dropout, backward to every tensor.
#pragma once

#include <vector>

#include "nn/block_pass.h"

namespace gopnet {

class NetworkPass {
 public:
  // Outputs for the batch x; valid until the next call. mask_keys: one dropout key a layer.
  MutView Forward(const Network& net, ConstView x, double dropout,
                  const std::vector<uint64_t>& mask_keys);
  // doutputs = dLoss/doutputs. Fills `gradient`, a Network of the same shape. Forward came just
  // before.
  void Backward(const Network& net, ConstView x, ConstView doutputs, bool memory,
                Network& gradient);

 private:
  struct LayerBuffers {
    BlockPass pass;
    Mat centred, g, hidden, mask, dhidden, df, dg, pt, dx_memory;
  };
  void ForwardLayer(const Layer& layer, ConstView x, double dropout, uint64_t key, LayerBuffers& b);
  void BackwardLayer(const Layer& layer, ConstView x, LayerBuffers& b, bool memory, Layer& gradient,
                     MutView dx);

  std::vector<LayerBuffers> layers_;
  Mat outputs_, output_t_;
  size_t rows_ = 0;
};

}  // namespace gopnet

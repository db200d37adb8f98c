// The output layer in training mode on one batch, or on a shard of one: linear, or a layer of GOPs
// with an operator set of its own (POP, arXiv:1808.06377, section 2.3).
#pragma once

#include "nn/network.h"

namespace gopnet {

class OutputPass {
 public:
  void Forward(const OutputLayer& output, ConstView h, MutView outputs);
  // Forward with the same output and h came just before. Writes the gradients of output's tensors
  // and dh = dLoss/dh: of the first dh.cols inputs if it is linear, else of all. output_t: the
  // transposed weights of those inputs, for a linear output only.
  void Backward(const OutputLayer& output, ConstView output_t, ConstView h, ConstView doutputs,
                OutputLayer& gradient, MutView dh);

 private:
  GopScratch scratch_;
  Mat pooled_, a_, delta_;
};

}  // namespace gopnet

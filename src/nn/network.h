// Blocks, layers and networks are values: an algorithm proposes one, measures it, and accepts it or
// drops it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/mat.h"
#include "kernels/gop.h"
#include "memory/projection.h"
#include "ops/operator_set.h"

namespace gopnet {

// M generalized operational perceptrons with one operator set, followed by batch normalisation.
struct Block {
  OperatorSet phi;
  Mat w;               // K x M
  Mat b;               // 1 x M, as all that follow
  Mat gamma, beta;     // batch norm: scale and shift
  Mat mean, variance;  // batch norm: statistics for inference
  size_t inputs() const { return w.rows(); }
  size_t units() const { return w.cols(); }
};
Block MakeBlock(const OperatorSet& phi, size_t inputs, size_t units);

// F_k, and G_k if the next layer or the output sees a memory of X_k: the layer's output is [F(x),
// G(x)].
struct Layer {
  Block block;
  std::optional<Projection> memory;
  size_t inputs() const { return block.inputs(); }
  size_t outputs() const { return block.units() + (memory ? memory->dims() : 0); }
};

struct Linear {
  Mat w;  // inputs x outputs
  Mat b;  // 1 x outputs
};

struct Network {
  std::vector<Layer> layers;
  Linear output;
  size_t parameters() const;  // trained numbers: weights, biases, batch norm, memory
};

// Inference in chunks of rows; owns its buffers. One per thread.
class Inference {
 public:
  static constexpr size_t kChunk = 256;
  // All for at most kChunk rows of x. Views are valid until the next call.
  MutView Activations(const Block& block, ConstView x);             // F(x) before its normalisation
  MutView Forward(const Block& block, ConstView x);                 // F(x)
  void Forward(const Layer& layer, ConstView x, MutView out);       // [F(x), G(x)] into out
  void Unnormalized(const Layer& layer, ConstView x, MutView out);  // the same, F not normalised
  // The network's outputs, logits or values, free to overwrite.
  MutView Forward(const Network& net, ConstView x);
  // For any number of rows: calls use(first_row, outputs) for every chunk of rows of x.
  void Run(const Network& net, ConstView x, const std::function<void(size_t, MutView)>& use);

 private:
  void Remember(const Layer& layer, ConstView x, MutView out);  // G(x) into its columns

  GopScratch scratch_;
  Mat pooled_, f_, centred_, out_, outputs_;
  // Of a whole network: one a layer, as buffers of one shape need no new room.
  std::vector<Inference> layers_;
  Mat hidden_;
};

// [F(x), G(x)] of all rows, without padding: the fixed input of the next layer.
Mat LayerFeatures(const Layer& layer, ConstView x);
// Normalises the first columns of rows, a block's activations, in place.
void NormalizeRows(const Block& block, MutView rows);
// G(x) of all rows.
Mat MemoryFeatures(const Projection& memory, ConstView x);

}  // namespace gopnet

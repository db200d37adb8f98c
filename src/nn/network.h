// Blocks, layers and networks are values: an algorithm proposes one, measures it, and accepts it or
// drops it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/mat.h"
#include "base/rng.h"
#include "kernels/gop.h"
#include "memory/projection.h"
#include "ops/operator_set.h"

namespace gopnet {

// What is normalised in a block: each neuron's activations over rows (GOP networks), nothing (BLS,
// S-ELM, the lossless part of PLN), or the pooled values of a row before the activation, to norm 1
// (the random part of PLN).
enum class Norm { kBatch, kNone, kRow };
inline std::vector<std::string> ChoiceNames(Norm) { return {"batch", "none", "row"}; }

// M generalized operational perceptrons with one operator set.
struct Block {
  OperatorSet phi;
  Mat w;               // K x M
  Mat b;               // 1 x M, like the matrices below
  Mat gamma, beta;     // batch norm: scale and shift; empty without
  Mat mean, variance;  // batch norm: statistics for inference; empty without
  Norm norm = Norm::kBatch;
  size_t inputs() const { return w.rows(); }
  size_t units() const { return w.cols(); }
  size_t parameters() const { return units() * (inputs() + (norm == Norm::kBatch ? 3 : 1)); }
};
Block MakeBlock(const OperatorSet& phi, size_t inputs, size_t units, Norm norm = Norm::kBatch);

// F_k = [F_k1, F_k2, ...], its blocks side by side; and G_k if the next layer or the output sees a
// memory of X_k. The layer's output is [F(x), G(x)], with x itself after it if it is handed on.
struct Layer {
  std::vector<Block> blocks;
  std::optional<Projection> memory = {};
  bool keeps_input = false;
  size_t inputs() const { return blocks.front().inputs(); }
  size_t units() const;
  size_t outputs() const {
    return units() + (memory ? memory->dims() : 0) + (keeps_input ? inputs() : 0);
  }
};

// Linear, y = x w + b; with an operator set a layer of GOPs, y = f(rho psi(x, w) + b) (POP).
struct OutputLayer {
  Mat w;  // inputs x outputs
  Mat b;  // 1 x outputs
  std::optional<OperatorSet> phi = {};
};

struct Network {
  std::vector<Layer> layers;
  OutputLayer output;
  size_t parameters() const;  // trained numbers: weights, biases, batch norm, memory
};

// Inference in chunks of rows; owns its buffers. One per thread.
class Inference {
 public:
  static constexpr size_t kChunk = 256;
  // All for at most kChunk rows of x. Views are valid until the next call.
  MutView Activations(const Block& block, ConstView x);  // F(x) before its batch normalisation
  MutView Forward(const Block& block, ConstView x);      // F(x)
  // The standard deviation over x of what a neuron pools, a median over the neurons.
  double PooledSpread(const Block& block, ConstView x);
  void Forward(const Projection& memory, ConstView x, MutView out);  // G(x) into out
  // [F(x), G(x)] into out; F may be left as it is before its batch normalisation.
  void Forward(const Layer& layer, ConstView x, MutView out, bool normalised = true);
  void Forward(const OutputLayer& output, ConstView x, MutView out);
  // The network's outputs, logits or values, free to overwrite.
  MutView Forward(const Network& net, ConstView x);
  // For any number of rows: calls use(first_row, outputs) for every chunk of rows of x.
  void Run(const Network& net, ConstView x, const std::function<void(size_t, MutView)>& use);

 private:
  GopScratch scratch_;
  Mat pooled_, f_, centred_, out_, outputs_;
  // One for each block of a layer, or layer of a network: buffers that keep their shape are not
  // allocated again.
  std::vector<Inference> blocks_, layers_;
  Mat hidden_;
};

void CopyRows(ConstView from, MutView to);  // of which `to` may have wider ones

// U(-limit, limit), row by row.
void DrawUniform(Rng& rng, double limit, Mat& w);

// [F(x), G(x)] of all rows, without padding: the fixed input of the next layer.
Mat LayerFeatures(const Layer& layer, ConstView x);
// Normalises the first columns of rows, the activations of the layer's blocks, in place.
void NormalizeRows(const Layer& layer, MutView rows);
// F(x) of all rows, without padding.
Mat BlockFeatures(const Block& block, ConstView x, int threads = 1);
// G(x) of all rows.
Mat MemoryFeatures(const Projection& memory, ConstView x);

}  // namespace gopnet

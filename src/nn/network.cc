#include "nn/network.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

void CopyColumns(ConstView from, size_t first, MutView to) {
  for (size_t n = 0; n < from.rows; ++n) std::copy_n(from.Row(n), from.cols, to.Row(n) + first);
}

}  // namespace

Block MakeBlock(const OperatorSet& phi, size_t inputs, size_t units) {
  const Mat row(1, units);
  return {phi, Mat(inputs, units), row, row, row, row, row};
}

size_t Network::parameters() const {
  size_t count = output.w.rows() * output.w.cols() + output.b.cols();
  for (const Layer& layer : layers) {
    count += layer.block.units() * (layer.block.inputs() + 3);
    if (layer.memory) count += layer.memory->dims() * (layer.memory->inputs() + 1);
  }
  return count;
}

MutView Inference::Forward(const Block& block, ConstView x) {
  const MutView pooled = Room(pooled_, x.rows, block.units());
  const MutView f = Room(f_, x.rows, block.units());
  GopForward(block.phi, x, block.w.view(), false, scratch_, pooled);
  Activate(block.phi.activation, pooled, block.b.data(), f);
  Normalize(f, block.mean.data(), block.variance.data(), block.gamma.data(), block.beta.data(), f);
  return f;
}

void Inference::Forward(const Layer& layer, ConstView x, MutView out) {
  CopyColumns(Forward(layer.block, x), 0, out);
  if (!layer.memory) return;
  const MutView g = Room(out_, x.rows, layer.memory->dims());
  Project(*layer.memory, x, Room(centred_, x.rows, x.cols), g);
  CopyColumns(g, layer.block.units(), out);
}

void Inference::Run(const Network& net, ConstView x,
                    const std::function<void(size_t, MutView)>& use) {
  hidden_.resize(net.layers.size());
  Mat outputs(kChunk, net.output.w.cols());
  for (size_t first = 0; first < x.rows; first += kChunk) {
    const size_t count = std::min(kChunk, x.rows - first);
    ConstView features = x.Rows(first, count);
    for (size_t k = 0; k < net.layers.size(); ++k) {
      const MutView hidden = Room(hidden_[k], count, net.layers[k].outputs());
      Forward(net.layers[k], features, hidden);
      features = hidden;
    }
    const MutView out = outputs.view().Rows(0, count);
    MatMul(features, net.output.w.view(), net.output.b.data(), out);
    use(first, out);
  }
}

void LayerFeatures(const Layer& layer, ConstView x, MutView features) {
  Inference inference;
  for (size_t first = 0; first < x.rows; first += Inference::kChunk) {
    const size_t count = std::min(Inference::kChunk, x.rows - first);
    inference.Forward(layer, x.Rows(first, count), features.Rows(first, count));
  }
}

Mat LayerFeatures(const Layer& layer, ConstView x) {
  Mat features(x.rows, layer.outputs(), layer.outputs());
  LayerFeatures(layer, x, features.view());
  return features;
}

Mat MemoryFeatures(const Projection& memory, ConstView x) {
  Mat features(x.rows, memory.dims(), memory.dims());
  Mat centred(Inference::kChunk, x.cols), out(Inference::kChunk, memory.dims());
  for (size_t first = 0; first < x.rows; first += Inference::kChunk) {
    const size_t count = std::min(Inference::kChunk, x.rows - first);
    Project(memory, x.Rows(first, count), centred.view().Rows(0, count), out.view().Rows(0, count));
    CopyColumns(out.view().Rows(0, count), 0, features.view().Rows(first, count));
  }
  return features;
}

}  // namespace gopnet

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

MutView Inference::Activations(const Block& block, ConstView x) {
  const MutView pooled = Room(pooled_, x.rows, block.units());
  const MutView f = Room(f_, x.rows, block.units());
  GopForward(block.phi, x, block.w.view(), false, scratch_, pooled);
  Activate(block.phi.activation, pooled, block.b.data(), f);
  return f;
}

MutView Inference::Forward(const Block& block, ConstView x) {
  const MutView f = Activations(block, x);
  Normalize(f, block.mean.data(), block.variance.data(), block.gamma.data(), block.beta.data(), f);
  return f;
}

void Inference::Forward(const Layer& layer, ConstView x, MutView out) {
  CopyColumns(Forward(layer.block, x), 0, out);
  Remember(layer, x, out);
}

void Inference::Unnormalized(const Layer& layer, ConstView x, MutView out) {
  CopyColumns(Activations(layer.block, x), 0, out);
  Remember(layer, x, out);
}

void Inference::Remember(const Layer& layer, ConstView x, MutView out) {
  if (!layer.memory) return;
  const MutView g = Room(out_, x.rows, layer.memory->dims());
  Project(*layer.memory, x, Room(centred_, x.rows, x.cols), g);
  CopyColumns(g, layer.block.units(), out);
}

MutView Inference::Forward(const Network& net, ConstView x) {
  layers_.resize(net.layers.size());
  ConstView features = x;
  for (size_t k = 0; k < net.layers.size(); ++k) {
    const MutView hidden = Room(layers_[k].hidden_, x.rows, net.layers[k].outputs());
    layers_[k].Forward(net.layers[k], features, hidden);
    features = hidden;
  }
  const MutView out = Room(outputs_, x.rows, net.output.w.cols());
  MatMul(features, net.output.w.view(), net.output.b.data(), out);
  return out;
}

void Inference::Run(const Network& net, ConstView x,
                    const std::function<void(size_t, MutView)>& use) {
  for (size_t first = 0; first < x.rows; first += kChunk)
    use(first, Forward(net, x.Rows(first, std::min(kChunk, x.rows - first))));
}

Mat LayerFeatures(const Layer& layer, ConstView x) {
  Mat features(x.rows, layer.outputs(), layer.outputs());
  Inference inference;
  for (size_t first = 0; first < x.rows; first += Inference::kChunk) {
    const size_t count = std::min(Inference::kChunk, x.rows - first);
    inference.Forward(layer, x.Rows(first, count), features.view().Rows(first, count));
  }
  return features;
}

void NormalizeRows(const Block& block, MutView rows) {
  const size_t units = block.units();
  Mat padded(1, units);
  for (size_t n = 0; n < rows.rows; ++n) {
    std::copy_n(rows.Row(n), units, padded.data());
    Normalize(padded.view(), block.mean.data(), block.variance.data(), block.gamma.data(),
              block.beta.data(), padded.view());
    std::copy_n(padded.data(), units, rows.Row(n));
  }
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

#include "nn/network_pass.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

MutView Columns(MutView m, size_t first, size_t count) {
  return {m.data + first, m.rows, count, m.stride};
}

void CopyInto(ConstView from, MutView to) {
  for (size_t n = 0; n < from.rows; ++n) std::copy_n(from.Row(n), from.cols, to.Row(n));
}

}  // namespace

void NetworkPass::ForwardLayer(const Layer& layer, ConstView x, double dropout, uint64_t key,
                               LayerBuffers& b) {
  const ConstView f = b.pass.Forward(layer.block, x);
  const MutView hidden = Room(b.hidden, x.rows, layer.outputs());
  const MutView mask = Room(b.mask, x.rows, layer.outputs());
  DropoutMask(key, dropout, mask);
  Multiply(f, Columns(mask, 0, f.cols), Columns(hidden, 0, f.cols));
  if (!layer.memory) return;
  const MutView g = Room(b.g, x.rows, layer.memory->dims());
  Project(*layer.memory, x, Room(b.centred, x.rows, x.cols), g);
  Multiply(g, Columns(mask, f.cols, g.cols), Columns(hidden, f.cols, g.cols));
}

MutView NetworkPass::Forward(const Network& net, ConstView x, double dropout,
                             const std::vector<uint64_t>& mask_keys) {
  layers_.resize(net.layers.size());
  rows_ = x.rows;
  ConstView features = x;
  for (size_t k = 0; k < net.layers.size(); ++k) {
    ForwardLayer(net.layers[k], features, dropout, mask_keys[k], layers_[k]);
    features = layers_[k].hidden.view().Rows(0, rows_);
  }
  const MutView outputs = Room(outputs_, rows_, net.output.w.cols());
  MatMul(features, net.output.w.view(), net.output.b.data(), outputs);
  return outputs;
}

// b.dhidden holds dLoss/d[F, G] after dropout. Memory passes its gradient on by G = ((x - m) s) P +
// bias.
void NetworkPass::BackwardLayer(const Layer& layer, ConstView x, LayerBuffers& b, bool memory,
                                Layer& gradient, MutView dx) {
  const size_t units = layer.block.units();
  const MutView dhidden = b.dhidden.view().Rows(0, rows_);
  Multiply(dhidden, b.mask.view().Rows(0, rows_), dhidden);
  const MutView df = Room(b.df, rows_, units);
  CopyInto(Columns(dhidden, 0, units), df);
  b.pass.Backward(layer.block, x, df, gradient.block, dx);
  if (!layer.memory) return;
  const Projection& g = *layer.memory;
  const MutView dg = Room(b.dg, rows_, g.dims());
  CopyInto(Columns(dhidden, units, g.dims()), dg);
  if (memory) {
    TransposedMatMul(b.centred.view().Rows(0, rows_), dg, gradient.memory->p.view());
    ColumnSums(dg, gradient.memory->bias.data());
  }
  if (dx.data == nullptr) return;
  const MutView pt = Room(b.pt, g.dims(), g.inputs());
  const MutView through = Room(b.dx_memory, rows_, g.inputs());
  Transpose(g.p.view(), pt);
  MatMul(dg, pt, nullptr, through);
  for (size_t n = 0; n < rows_; ++n) {
    for (size_t j = 0; j < dx.cols; ++j)
      dx.Row(n)[j] += through.Row(n)[j] * g.inverse_scale.data()[j];
  }
}

void NetworkPass::Backward(const Network& net, ConstView x, ConstView doutputs, bool memory,
                           Network& gradient) {
  const size_t depth = net.layers.size();
  const ConstView top = layers_[depth - 1].hidden.view().Rows(0, rows_);
  TransposedMatMul(top, doutputs, gradient.output.w.view());
  ColumnSums(doutputs, gradient.output.b.data());
  const MutView output_t = Room(output_t_, doutputs.cols, top.cols);
  Transpose(net.output.w.view(), output_t);
  MatMul(doutputs, output_t, nullptr, Room(layers_[depth - 1].dhidden, rows_, top.cols));
  for (size_t k = depth; k-- > 0;) {
    const ConstView input = k == 0 ? x : ConstView(layers_[k - 1].hidden.view().Rows(0, rows_));
    const MutView dx = k == 0 ? MutView() : Room(layers_[k - 1].dhidden, rows_, input.cols);
    BackwardLayer(net.layers[k], input, layers_[k], memory, gradient.layers[k], dx);
  }
}

}  // namespace gopnet

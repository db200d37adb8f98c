#include "train/network_pass.h"

#include <algorithm>
#include <cassert>

#include "kernels/elementwise.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

// Rows of a shard: enough to pay for synchronising threads, at most kShards shards, and an even
// number, since dropout draws for two rows at once.
constexpr size_t kShardRows = 16;
constexpr size_t kShards = 8;

size_t ShardRows(size_t rows) {
  return (std::max(kShardRows, (rows + kShards - 1) / kShards) + 1) & ~size_t{1};
}
size_t ShardCount(size_t rows) { return (rows + ShardRows(rows) - 1) / ShardRows(rows); }

MutView ColumnsOf(MutView m, size_t first, size_t count) {
  return {m.data + first, m.rows, count, m.stride};
}

// sum = part(0) + part(1) + ..., in this order.
template <class Part>
void SumShards(const Part& part, size_t shards, MutView sum) {
  const size_t floats = sum.rows * sum.stride;
  std::copy_n(part(0).data, floats, sum.data);
  for (size_t i = 1; i < shards; ++i) AddTo(part(i).data, floats, sum.data);
}

}  // namespace

template <class F>
void NetworkPass::ForEachShard(const F& run) {
  const size_t size = ShardRows(rows_);
  team_.Run(ShardCount(rows_), [&](size_t i, int) {
    run({i, i * size, std::min(size, rows_ - i * size)});
  });
}

ConstView NetworkPass::Input(size_t layer, ConstView x) {
  return layer == 0 ? x : ConstView(layers_[layer - 1].hidden.view().Rows(0, rows_));
}

void NetworkPass::MakeRoom(const Network& net) {
  layers_.resize(net.layers.size());
  for (size_t k = 0; k < net.layers.size(); ++k) {
    LayerBuffers& b = layers_[k];
    const Layer& layer = net.layers[k];
    b.blocks.resize(layer.blocks.size());
    size_t column = 0;
    for (size_t j = 0; j < layer.blocks.size(); ++j) {
      b.blocks[j].pass.MakeRoom(layer.blocks[j], rows_, ShardCount(rows_));
      b.blocks[j].column = column;
      column += layer.blocks[j].units();
      if (j > 0 && k > 0) Room(b.blocks[j].dx, rows_, layer.inputs());
    }
    for (Mat* m : {&b.mask, &b.hidden, &b.dhidden}) Room(*m, rows_, layer.outputs());
    if (!layer.memory) continue;
    for (Mat* m : {&b.centred, &b.through}) Room(*m, rows_, layer.memory->inputs());
    for (Mat* m : {&b.g, &b.dg}) Room(*m, rows_, layer.memory->dims());
  }
  if (output_.size() < ShardCount(rows_)) output_.resize(ShardCount(rows_));
  Room(outputs_, rows_, net.output.w.cols());
}

// [F, G] under dropout, from the activations and their statistics.
void NetworkPass::Outputs(const Layer& layer, ConstView x, double dropout, uint64_t key,
                          const Shard& s, LayerBuffers& l) {
  const MutView mask = s.Of(l.mask), hidden = s.Of(l.hidden);
  DropoutMask(key, dropout, mask, s.first);
  for (size_t j = 0; j < layer.blocks.size(); ++j) {
    BlockBuffers& b = l.blocks[j];
    const ConstView f = b.pass.Outputs(layer.blocks[j], s);
    Multiply(f, ColumnsOf(mask, b.column, f.cols), ColumnsOf(hidden, b.column, f.cols));
  }
  if (!layer.memory) return;
  Project(*layer.memory, s.Of(x), s.Of(l.centred), s.Of(l.g));
  const size_t units = layer.units(), dims = layer.memory->dims();
  Multiply(s.Of(l.g), ColumnsOf(mask, units, dims), ColumnsOf(hidden, units, dims));
}

MutView NetworkPass::Forward(const Network& net, ConstView x, double dropout,
                             const std::vector<uint64_t>& mask_keys) {
  rows_ = x.rows;
  MakeRoom(net);
  const size_t depth = net.layers.size();
  for (size_t k = 0; k <= depth; ++k) {
    ForEachShard([&](const Shard& s) {
      if (k > 0)
        Outputs(net.layers[k - 1], Input(k - 1, x), dropout, mask_keys[k - 1], s, layers_[k - 1]);
      for (size_t j = 0; k < depth && j < layers_[k].blocks.size(); ++j)
        layers_[k].blocks[j].pass.Activations(net.layers[k].blocks[j], Input(k, x), s);
      if (k == depth) output_[s.index].Forward(net.output, s.Of(Input(k, x)), s.Of(outputs_));
    });
    if (k == depth) break;
    for (BlockBuffers& b : layers_[k].blocks) b.pass.Statistics();
  }
  return outputs_.view().Rows(0, rows_);
}

// l.dhidden holds dLoss/d[F, G] after dropout; this shard's part of the sums over the batch.
void NetworkPass::BackwardHidden(const Shard& s, LayerBuffers& l, Layer& gradient) {
  Multiply(s.Of(l.dhidden), s.Of(l.mask), s.Of(l.dhidden));
  for (size_t j = 0; j < l.blocks.size(); ++j) {
    BlockBuffers& b = l.blocks[j];
    const MutView df = b.pass.df(s);
    CopyRows(ColumnsOf(s.Of(l.dhidden), b.column, df.cols), df);
    b.pass.BackwardNorm(s, gradient.blocks[j]);
  }
}

// The gradients of the layer's gamma and beta, which those of its other tensors need.
void NetworkPass::SumNorms(size_t layer, Layer& gradient) {
  for (size_t j = 0; j < gradient.blocks.size(); ++j)
    for (Mat Block::*tensor : {&Block::gamma, &Block::beta})
      SumShards([&](size_t i) { return (partial_[i].layers[layer].blocks[j].*tensor).view(); },
                ShardCount(rows_), (gradient.blocks[j].*tensor).view());
}

// Memory passes its gradient on by G = ((x - m) s) P + bias.
void NetworkPass::BackwardMemory(const Projection& memory, const Shard& s, LayerBuffers& b,
                                 Projection* gradient, MutView dx) {
  const MutView dg = s.Of(b.dg), through = s.Of(b.through);
  CopyRows(ColumnsOf(s.Of(b.dhidden), b.dhidden.cols() - memory.dims(), memory.dims()), dg);
  if (gradient != nullptr) {
    TransposedMatMul(s.Of(b.centred), dg, gradient->p.view());
    ColumnSums(dg, gradient->bias.data());
  }
  if (dx.data == nullptr) return;
  MatMul(dg, b.pt.view(), nullptr, through);
  for (size_t n = 0; n < dx.rows; ++n) {
    for (size_t j = 0; j < dx.cols; ++j)
      dx.Row(n)[j] += through.Row(n)[j] * memory.inverse_scale.data()[j];
  }
}

// dx, unless null, becomes the sum over blocks and memory.
void NetworkPass::BackwardLayer(const Layer& layer, ConstView x, const Shard& s, LayerBuffers& l,
                                const Layer& sums, Layer& gradient, bool memory, MutView dx) {
  for (size_t j = 0; j < layer.blocks.size(); ++j) {
    BlockBuffers& b = l.blocks[j];
    const MutView part = j == 0 || dx.data == nullptr ? dx : s.Of(b.dx);
    b.pass.Backward(layer.blocks[j], x, s, sums.blocks[j], gradient.blocks[j], part);
    for (size_t n = 0; j > 0 && n < dx.rows; ++n)
      for (size_t i = 0; i < dx.cols; ++i) dx.Row(n)[i] += part.Row(n)[i];
  }
  if (layer.memory) BackwardMemory(*layer.memory, s, l, memory ? &*gradient.memory : nullptr, dx);
}

void NetworkPass::Backward(const Network& net, ConstView x, ConstView doutputs, bool memory,
                           Network& gradient) {
  const size_t depth = net.layers.size();
  assert(depth > 0);
  if (partial_.size() < ShardCount(rows_)) {
    partial_.assign(ShardCount(rows_), net);
    partial_tensors_.clear();
    for (Network& part : partial_) partial_tensors_.push_back(TensorsOf(gradient, part, memory));
  }
  Transpose(net.output.w.view(), Room(output_t_, net.output.w.cols(), net.output.w.rows()));
  team_.Run(depth, [&](size_t k, int) {
    if (!net.layers[k].memory || k == 0) return;
    const Mat& p = net.layers[k].memory->p;
    Transpose(p.view(), Room(layers_[k].pt, p.cols(), p.rows()));
  });
  for (size_t k = depth + 1; k-- > 0;) {
    ForEachShard([&](const Shard& s) {
      Network& part = partial_[s.index];
      if (k == depth) {
        output_[s.index].Backward(net.output, output_t_.view(), s.Of(Input(k, x)), s.Of(doutputs),
                                  part.output, s.Of(layers_[k - 1].dhidden));
      } else {
        const MutView dx = k > 0 ? s.Of(layers_[k - 1].dhidden) : MutView();
        BackwardLayer(net.layers[k], Input(k, x), s, layers_[k], gradient.layers[k], part.layers[k],
                      memory, dx);
      }
      if (k > 0) BackwardHidden(s, layers_[k - 1], part.layers[k - 1]);
    });
    if (k > 0) SumNorms(k - 1, gradient.layers[k - 1]);
  }
  team_.Run(partial_tensors_[0].size(), [&](size_t t, int) {
    SumShards([&](size_t i) { return partial_tensors_[i][t].gradient; }, ShardCount(rows_),
              partial_tensors_[0][t].value);
  });
}

}  // namespace gopnet

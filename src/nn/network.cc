#include "nn/network.h"

#include <algorithm>
#include <cmath>

#include "base/stop_check.h"
#include "base/threads.h"
#include "kernels/elementwise.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

// Each row divided by its norm; a row of zeros stays.
void DivideByNorm(MutView rows) {
  for (size_t n = 0; n < rows.rows; ++n) {
    float* row = rows.Row(n);
    double squares = 0;
    for (size_t j = 0; j < rows.cols; ++j)
      squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
    const double factor = 1 / (std::sqrt(squares) + 1e-6);
    for (size_t j = 0; j < rows.cols; ++j)
      row[j] = static_cast<float>(static_cast<double>(row[j]) * factor);
  }
}

}  // namespace

void CopyRows(ConstView from, MutView to) {
  for (size_t n = 0; n < from.rows; ++n) std::copy_n(from.Row(n), from.cols, to.Row(n));
}

Block MakeBlock(const OperatorSet& phi, size_t inputs, size_t units, Norm norm) {
  const Mat row(1, units), none;
  if (norm != Norm::kBatch) return {phi, Mat(inputs, units), row, none, none, none, none, norm};
  return {phi, Mat(inputs, units), row, row, row, row, row, norm};
}

void DrawUniform(Rng& rng, double limit, Mat& w) {
  const auto draw = [&] { return static_cast<float>((2 * rng.Uniform() - 1) * limit); };
  for (size_t i = 0; i < w.rows(); ++i) std::generate_n(w.Row(i), w.cols(), draw);
}

size_t Layer::units() const {
  size_t sum = 0;
  for (const Block& block : blocks) sum += block.units();
  return sum;
}

size_t Network::parameters() const {
  size_t count = output.w.rows() * output.w.cols() + output.b.cols();
  for (const Layer& layer : layers) {
    for (const Block& block : layer.blocks) count += block.parameters();
    if (layer.memory) count += layer.memory->dims() * (layer.memory->inputs() + 1);
  }
  return count;
}

MutView Inference::Activations(const Block& block, ConstView x) {
  const MutView pooled = Room(pooled_, x.rows, block.units());
  const MutView f = Room(f_, x.rows, block.units());
  GopForward(block.phi, x, block.w.view(), false, scratch_, pooled);
  if (block.norm == Norm::kRow) DivideByNorm(pooled);
  Activate(block.phi.activation, pooled, block.b.data(), f);
  return f;
}

double Inference::PooledSpread(const Block& block, ConstView x) {
  const MutView pooled = Room(pooled_, x.rows, block.units());
  GopForward(block.phi, x, block.w.view(), false, scratch_, pooled);
  Mat mean(1, block.units()), variance(1, block.units());
  ColumnStatistics(pooled, mean.data(), variance.data());
  std::vector<double> deviations;
  for (size_t j = 0; j < block.units(); ++j)
    deviations.push_back(std::sqrt(static_cast<double>(variance.data()[j])));
  const auto middle = deviations.begin() + static_cast<std::ptrdiff_t>(deviations.size() / 2);
  std::nth_element(deviations.begin(), middle, deviations.end());
  return *middle;
}

MutView Inference::Forward(const Block& block, ConstView x) {
  const MutView f = Activations(block, x);
  if (block.norm != Norm::kBatch) return f;
  Normalize(f, block.mean.data(), block.variance.data(), block.gamma.data(), block.beta.data(), f);
  return f;
}

void Inference::Forward(const Projection& memory, ConstView x, MutView out) {
  const MutView g = Room(out_, x.rows, memory.dims());
  Project(memory, x, Room(centred_, x.rows, x.cols), g);
  CopyRows(g, out);
}

void Inference::Forward(const Layer& layer, ConstView x, MutView out, bool normalised) {
  blocks_.resize(layer.blocks.size());
  size_t column = 0;
  for (size_t j = 0; j < layer.blocks.size(); ++j) {
    const Block& block = layer.blocks[j];
    CopyRows(normalised ? blocks_[j].Forward(block, x) : blocks_[j].Activations(block, x),
             out.Part(0, column, x.rows, block.units()));
    column += block.units();
  }
  if (layer.memory) Forward(*layer.memory, x, out.Part(0, column, x.rows, layer.memory->dims()));
  if (layer.keeps_input) CopyRows(x, out.Part(0, layer.outputs() - x.cols, x.rows, x.cols));
}

void Inference::Forward(const OutputLayer& output, ConstView x, MutView out) {
  if (!output.phi) return MatMul(x, output.w.view(), output.b.data(), out);
  const MutView pooled = Room(pooled_, x.rows, output.w.cols());
  // Not straight into out: Activate fills the padding, and that of out must stay 0.
  const MutView f = Room(f_, x.rows, output.w.cols());
  GopForward(*output.phi, x, output.w.view(), false, scratch_, pooled);
  Activate(output.phi->activation, pooled, output.b.data(), f);
  CopyRows(f, out);
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
  Forward(net.output, features, out);
  return out;
}

void Inference::Run(const Network& net, ConstView x,
                    const std::function<void(size_t, MutView)>& use) {
  ForEachChunk(x.rows, kChunk,
               [&](size_t first, size_t count) { use(first, Forward(net, x.Rows(first, count))); });
}

namespace {

// What run(inference, x, out) writes for chunks of the rows, without padding.
template <class Run>
Mat AllRows(ConstView x, size_t cols, int threads, const Run& run) {
  constexpr size_t kPart = 16 * Inference::kChunk;
  Mat out(x.rows, cols, cols);
  std::vector<Inference> inference(static_cast<size_t>(std::max(threads, 1)));
  ParallelFor((x.rows + kPart - 1) / kPart, threads, [&](size_t part, int worker) {
    const size_t begin = part * kPart;
    ForEachChunk(std::min(kPart, x.rows - begin), Inference::kChunk, [&](size_t n, size_t count) {
      run(inference[static_cast<size_t>(worker)], x.Rows(begin + n, count),
          out.view().Rows(begin + n, count));
    });
  });
  return out;
}

}  // namespace

Mat LayerFeatures(const Layer& layer, ConstView x) {
  return AllRows(x, layer.outputs(), 1, [&](Inference& inference, ConstView in, MutView out) {
    inference.Forward(layer, in, out);
  });
}

Mat BlockFeatures(const Block& block, ConstView x, int threads) {
  return AllRows(x, block.units(), threads, [&](Inference& inference, ConstView in, MutView out) {
    CopyRows(inference.Forward(block, in), out);
  });
}

Mat MemoryFeatures(const Projection& memory, ConstView x) {
  return AllRows(x, memory.dims(), 1, [&](Inference& inference, ConstView in, MutView out) {
    inference.Forward(memory, in, out);
  });
}

void NormalizeRows(const Layer& layer, MutView rows) {
  size_t column = 0;
  for (const Block& block : layer.blocks) {
    const size_t units = block.units();
    Mat padded(1, units);
    for (size_t n = 0; n < rows.rows; ++n) {
      float* row = rows.Row(n) + column;
      std::copy_n(row, units, padded.data());
      Normalize(padded.view(), block.mean.data(), block.variance.data(), block.gamma.data(),
                block.beta.data(), padded.view());
      std::copy_n(padded.data(), units, row);
    }
    column += units;
  }
}

}  // namespace gopnet

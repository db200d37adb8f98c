#include "nn/state.h"

namespace gopnet {
namespace {

bool IsRow(const Mat& m, size_t cols) { return m.rows() == 1 && m.cols() == cols; }

bool Fits(const OperatorSet& phi, size_t inputs) {
  return static_cast<size_t>(PoolTerms(phi.pool)) <= inputs;
}

bool Fits(const Block& b, size_t inputs) {
  if (b.inputs() != inputs || b.units() == 0 || !IsRow(b.b, b.units())) return false;
  if (!Fits(b.phi, inputs) || b.w.stride() != Stride(b.units())) return false;
  for (const Mat* m : {&b.gamma, &b.beta, &b.mean, &b.variance})
    if (b.norm == Norm::kBatch ? !IsRow(*m, b.units()) : m->rows() > 0) return false;
  return true;
}

bool Fits(const Projection& g, size_t inputs) {
  return IsRow(g.mean, inputs) && IsRow(g.inverse_scale, inputs) && g.inputs() == inputs &&
         IsRow(g.bias, g.dims()) && g.p.stride() == Stride(g.dims());
}

bool Fits(const OutputLayer& output, size_t inputs, size_t outputs) {
  return output.w.rows() == inputs && output.w.cols() == outputs && IsRow(output.b, outputs) &&
         output.w.stride() == Stride(outputs) && (!output.phi || Fits(*output.phi, inputs));
}

}  // namespace

bool Fits(const Network& net, size_t inputs, size_t outputs) {
  for (const Layer& layer : net.layers) {
    if (layer.blocks.empty()) return false;
    for (const Block& block : layer.blocks)
      if (!Fits(block, inputs)) return false;
    if (layer.memory && !Fits(*layer.memory, inputs)) return false;
    inputs = layer.outputs();
  }
  return Fits(net.output, inputs, outputs);
}

void CheckShapes(const Network& net, size_t inputs, size_t outputs, const std::string& source) {
  Check(!net.layers.empty() && Fits(net, inputs, outputs), source,
        ": the shape of the network differs from that of the run");
}

void CheckShapes(const Block& block, size_t inputs, const std::string& source) {
  Check(Fits(block, inputs), source, ": the shape of the neurons differs from that of the run");
}

void CheckShapes(const OutputLayer& output, size_t inputs, size_t outputs,
                 const std::string& source) {
  Check(Fits(output, inputs, outputs), source,
        ": the shape of the output layer differs from that of the run");
}

}  // namespace gopnet

// What networks and the records of their growth consist of, for the state of a run on disk.
#pragma once

#include "base/archive.h"
#include "gopnet/history.h"
#include "nn/metric.h"
#include "nn/network.h"

namespace gopnet {

void Fields(auto& a, Score& s) { a(s.measure, s.loss, s.valid); }

inline void Fields(ArchiveWriter& a, OperatorSet& phi) { a(Names(phi)); }
inline void Fields(ArchiveReader& a, OperatorSet& phi) {
  std::string nodal, pool, activation;
  uint64_t count = 0;
  a(count);
  a.Require(count == 3);
  a(nodal, pool, activation);
  phi = {a.Find(NodalNames(), nodal), a.Find(PoolNames(), pool),
         a.Find(ActivationNames(), activation)};
}

inline void Fields(ArchiveWriter& a, Norm& norm) { a(static_cast<uint8_t>(norm)); }
inline void Fields(ArchiveReader& a, Norm& norm) {
  uint8_t number = 0;
  a(number);
  a.Require(number <= static_cast<uint8_t>(Norm::kRow));
  norm = static_cast<Norm>(number);
}

void Fields(auto& a, Block& b) { a(b.phi, b.w, b.b, b.gamma, b.beta, b.mean, b.variance, b.norm); }
void Fields(auto& a, OutputLayer& output) { a(output.w, output.b, output.phi); }
void Fields(auto& a, Projection& g) { a(g.type, g.mean, g.inverse_scale, g.p, g.bias); }
void Fields(auto& a, Layer& layer) { a(layer.blocks, layer.memory, layer.keeps_input); }
void Fields(auto& a, Network& net) { a(net.layers, net.output); }
void Fields(auto& a, MemoryRecord& m) { a(m.type, m.dims); }
void Fields(auto& a, BlockRecord& r) {
  a(r.units, r.operator_set, r.val, r.candidates, r.epochs, r.diverged, r.seconds);
}
void Fields(auto& a, RankedSet& s) { a(s.operator_set, s.output_set); }
void Fields(auto& a, LayerRecord& r) {
  a(r.units, r.operator_set, r.output_set, r.memory, r.train, r.val, r.candidates, r.epochs,
    r.diverged, r.seconds, r.blocks, r.ranking, r.curve);
}

// Throws Error, naming `source`, unless the network takes `inputs` features to `outputs` numbers
// and everything in between fits.
void CheckShapes(const Network& net, size_t inputs, size_t outputs, const std::string& source);
void CheckShapes(const Block& block, size_t inputs, const std::string& source);
void CheckShapes(const OutputLayer& output, size_t inputs, size_t outputs,
                 const std::string& source);

}  // namespace gopnet

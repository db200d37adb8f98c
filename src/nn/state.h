// What networks and the records of their growth consist of, for the state of a run on disk.
#pragma once

#include "base/archive.h"
#include "gopnet/history.h"
#include "nn/metric.h"
#include "nn/network.h"

namespace gopnet {

decltype(auto) Fields(auto& a, Score& s) { return a(s.measure, s.loss, s.valid); }

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

// Model files name their tensors like this.
decltype(auto) Fields(auto& a, Block& b) {
  return a(Named("operator_set", b.phi), Named("weight", b.w), Row("bias", b.b),
           Extra("gamma", b.gamma), Extra("beta", b.beta), Extra("mean", b.mean),
           Extra("variance", b.variance), Named("norm", b.norm));
}
decltype(auto) Fields(auto& a, OutputLayer& output) {
  return a(Named("weight", output.w), Row("bias", output.b), Named("operator_set", output.phi));
}
decltype(auto) Fields(auto& a, Projection& g) {
  return a(Named("type", g.type), Row("mean", g.mean), Row("inverse_scale", g.inverse_scale),
           Named("projection", g.p), Row("bias", g.bias));
}
decltype(auto) Fields(auto& a, Layer& layer) {
  return a(Named("blocks", layer.blocks), Named("memory", layer.memory),
           Named("keeps_input", layer.keeps_input));
}
decltype(auto) Fields(auto& a, Network& net) {
  return a(Named("layers", net.layers), Named("output", net.output));
}
decltype(auto) Fields(auto& a, MemoryRecord& m) {
  return a(Named("type", m.type), Named("dims", m.dims));
}
decltype(auto) Fields(auto& a, BlockRecord& r) {
  return a(Named("units", r.units), Named("operator_set", r.operator_set), Named("val", r.val),
           Named("candidates", r.candidates), Named("epochs", r.epochs), r.diverged,
           Named("seconds", r.seconds));
}
decltype(auto) Fields(auto& a, RankedSet& s) { return a(s.operator_set, s.output_set); }
decltype(auto) Fields(auto& a, LayerRecord& r) {
  return a(Named("units", r.units), Named("operator_set", r.operator_set),
           Named("memory", r.memory), Named("train", r.train), Named("val", r.val),
           Group("search", Named("candidates", r.candidates), Named("epochs", r.epochs),
                 Named("diverged", r.diverged), Named("seconds", r.seconds)),
           Extra("output_set", r.output_set), Extra("curve", r.curve), Extra("blocks", r.blocks),
           r.ranking, Local(r.ranks_only));
}
decltype(auto) Fields(auto& a, TargetMetrics& t) { return a(Named("target", t.name), t.metrics); }
decltype(auto) Fields(auto& a, Confusion& c) {
  return a(Named("true", c.truth), Named("predicted", c.predicted), Named("rows", c.rows),
           Named("of", c.of));
}
decltype(auto) Fields(auto& a, MemberRecord& m) {
  return a(Named("weight", m.weight), Named("operator_set", m.operator_set),
           Named("layers", m.layers), Named("fold", m.fold), Named("val", m.val));
}
decltype(auto) Fields(auto& a, RankRecord& r) {
  return a(Named("rank", r.rank), Named("candidates", r.candidates), Named("seconds", r.seconds),
           Named("waiting", r.waiting), Named("communication", r.communication));
}

// Whether the network, which may have no layers, takes `inputs` features to `outputs` numbers and
// everything in between fits.
bool Fits(const Network& net, size_t inputs, size_t outputs);

// Throws Error, naming `source`, unless it does, and has layers.
void CheckShapes(const Network& net, size_t inputs, size_t outputs, const std::string& source);
void CheckShapes(const Block& block, size_t inputs, const std::string& source);
void CheckShapes(const OutputLayer& output, size_t inputs, size_t outputs,
                 const std::string& source);

}  // namespace gopnet

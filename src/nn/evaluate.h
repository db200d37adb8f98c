// Measures a network on labelled rows; or its last layers, given the features x that the first ones
// compute from these rows.
#pragma once

#include "nn/ensemble.h"
#include "nn/metric.h"

namespace gopnet {

inline MetricSums EvaluateNetwork(const Problem& problem, const Rows& rows, const Network& net,
                                  ConstView x) {
  MetricSums sums(problem, rows);
  Inference().Run(net, x, [&](size_t first, MutView out) { sums.Add(first, out); });
  return sums;
}
inline MetricSums EvaluateNetwork(const Problem& problem, const Rows& rows, const Network& net) {
  return EvaluateNetwork(problem, rows, net, rows.x.view());
}
inline MetricSums EvaluateEnsemble(const Problem& problem, const Rows& rows, const Ensemble& e,
                                   double temperature = 1) {
  MetricSums sums(problem, rows, temperature);
  EnsembleInference().Run(e, rows.x.view(),
                          [&](size_t first, MutView out) { sums.Add(first, out); });
  return sums;
}

}  // namespace gopnet

// A whole network, or its last layers on what the first ones make of the rows (x), on labelled
// rows.
#pragma once

#include "base/stop_check.h"
#include "nn/metric.h"
#include "nn/network.h"

namespace gopnet {

inline MetricSums EvaluateNetwork(const Problem& problem, const Rows& rows, const Network& net,
                                  ConstView x) {
  MetricSums sums(problem, rows);
  Inference().Run(net, x, [&](size_t first, MutView out) {
    StopCheck::Ask();
    sums.Add(first, out);
  });
  return sums;
}
inline MetricSums EvaluateNetwork(const Problem& problem, const Rows& rows, const Network& net) {
  return EvaluateNetwork(problem, rows, net, rows.x.view());
}

}  // namespace gopnet

// A whole network on labelled rows.
#pragma once

#include "nn/metric.h"
#include "nn/network.h"

namespace gopnet {

inline MetricSums EvaluateNetwork(const Problem& problem, const Rows& rows, const Network& net) {
  MetricSums sums(problem, rows);
  Inference().Run(net, rows.x.view(), [&](size_t first, MutView out) { sums.Add(first, out); });
  return sums;
}

}  // namespace gopnet

// Probabilities from outputs: softmax(theta * output), theta in [0.1, 100] chosen for the least
// cross-entropy on labelled rows, of very many every k-th.
#pragma once

#include "nn/ensemble.h"
#include "nn/problem.h"

namespace gopnet {

double FitTemperature(const Ensemble& net, const Rows& rows);
// The same for outputs that are known: N x C.
double FitTemperature(const Mat& outputs, const std::vector<int32_t>& labels,
                      const float* weights = nullptr);

}  // namespace gopnet

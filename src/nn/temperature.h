// Probabilities from outputs: softmax(theta * output), theta in [0.1, 100] chosen for the least
// cross-entropy on labelled rows, of very many every k-th.
#pragma once

#include "nn/problem.h"

namespace gopnet {

constexpr size_t kRowsForTemperature = 50;  // that fitting one of cross-entropy takes

double FitTemperature(const Mat& outputs, const Rows& rows);  // N x C

}  // namespace gopnet

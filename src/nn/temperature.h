// Probabilities from outputs that were trained on squared error: softmax(theta * output), theta in
// [0.1, 100] chosen for the least cross-entropy on labelled rows.
#pragma once

#include "nn/network.h"
#include "nn/problem.h"

namespace gopnet {

double FitTemperature(const Network& net, const Rows& rows);

}  // namespace gopnet

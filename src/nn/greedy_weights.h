// How much each of several networks counts in their average.
#pragma once

#include <vector>

#include "nn/problem.h"

namespace gopnet {

// Greedy selection with replacement (Caruana et al., 2004): again and again the network is added
// that leaves the average with the least squared error (for an objective that is not squared, the
// least loss), and each counts as often as it was added. outputs: of each network, N x C,
// probabilities or values for the rows; under a softmax link the truth is the row's label, else its
// targets.
std::vector<double> GreedyWeights(const std::vector<Mat>& outputs, const Rows& rows,
                                  const Objective& objective);

}  // namespace gopnet

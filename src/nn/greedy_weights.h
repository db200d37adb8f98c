// How much each of several networks counts in their average.
#pragma once

#include <vector>

#include "nn/problem.h"

namespace gopnet {

// Greedy selection with replacement (Caruana et al., 2004): again and again the network is added
// that leaves the average with the least squared error, and each counts as often as it was added.
// outputs: of each network, N x C, probabilities or values for the rows; with probabilities the
// truth is the row's label, else its targets.
std::vector<double> GreedyWeights(const std::vector<Mat>& outputs, const Rows& rows,
                                  bool probabilities);

}  // namespace gopnet

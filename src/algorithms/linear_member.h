// A linear model among the networks of an ensemble. Where rows are few for their features and
// classes (embeddings, pixels), or noisy, it errs in other ways than networks do, and the average
// is better than either; elsewhere it is left out.
#pragma once

#include <optional>
#include <vector>

#include "algorithms/held_out.h"
#include "nn/ensemble.h"

namespace gopnet {

struct LinearMember {
  Network network;  // without layers
  double weight = 0;
  Mat outputs;  // for the rows held out, by models that did not learn from them
};

// held: the rows held out, by their numbers; average: what the networks say of them, probabilities
// as logarithms, or values. Nothing if the squared error of the average does not fall by more than
// its standard error with a linear model in it; unlike the networks, that was not chosen by these
// rows, so to ask for more would be unfair (docs/design/averages.md).
std::optional<LinearMember> FitLinearMember(const Problem& problem, const Folds& folds,
                                            const std::vector<size_t>& held, const Mat& average,
                                            int threads = 1);

}  // namespace gopnet

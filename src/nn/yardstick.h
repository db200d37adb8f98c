// What a network should beat, measured on the same rows: a linear model, and a constant, which
// looks at no feature.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "gopnet/history.h"
#include "nn/network.h"
#include "nn/problem.h"

namespace gopnet {

// A linear model, a network without layers: logistic regression with the penalty times
// |w|^2 / 2 on the sum of the losses (what others call C is its inverse), or, for an identity link,
// regression by half the objective's loss (ridge regression by squared errors) with the same
// penalty, also of classes, on their one-hot targets. Of very many rows it learns from a part.
Network FitLinear(const Problem& problem, const Objective& objective, double penalty = 1,
                  int threads = 1);
constexpr size_t kMostLinearWeights = 2'000'000;  // a larger linear model is no yardstick
bool FitsLinear(const Problem& problem);
// Of some training rows, each by a model that `fit` fitted to the rows of other folds.
Mat FoldOutputs(const Problem& problem, const std::vector<uint8_t>& fold_of_row,
                const std::vector<size_t>& rows, const std::function<Network(const Problem&)>& fit);

// "linear" and "constant": their metrics on the given rows, fitted to the training rows.
std::map<std::string, Metrics> Yardsticks(const Problem& problem, const Rows& rows,
                                          int threads = 1);
// The same on the training rows of these folds, each by models that were fitted to the other rows.
std::map<std::string, Metrics> FoldYardsticks(const Problem& problem,
                                              const std::vector<uint8_t>& fold_of_row,
                                              const std::set<int>& folds, int threads = 1);

}  // namespace gopnet

// The paper's grids of parameters: a network for every setting, the best on validation is kept.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/problem.h"
#include "nn/runtime.h"

namespace gopnet {

// 10^-3 ... 10^3
const std::vector<double>& PaperGrid();

// Trains one network for each setting of a grid and keeps the best on validation, the first of
// equals; train(i, runtime) trains with setting i. The history is that of the best. Settings that
// an earlier part of the run has finished are not trained again.
Network BestOfGrid(const Problem& problem, const std::vector<std::map<std::string, double>>& grid,
                   Runtime& rt, const std::function<Network(size_t, Runtime&)>& train);

}  // namespace gopnet

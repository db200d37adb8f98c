// A layer to train and untrained layers of equal width, for tests and benchmarks.
#pragma once

#include <algorithm>
#include <vector>

#include "train/train_layer.h"

namespace gopnet::testing {

// The first layer of a problem, without memory.
inline LayerTask ToyTask(const Problem& problem, size_t units, const TrainingConfig& config) {
  return {.problem = problem,
          .x_train = problem.train.x.view(),
          .x_val = problem.val.x.view(),
          .g_train = {},
          .g_val = {},
          .units = units,
          .config = config,
          .input_dropout = 0,
          .key = {1, 1, 0, 0}};
}

inline Network ToyLayers(const std::vector<OperatorSet>& sets, size_t inputs, size_t units,
                         size_t classes) {
  Network net;
  for (const OperatorSet& phi : sets) {
    Block block = MakeBlock(phi, inputs, units);
    const StreamKey key{1, static_cast<uint32_t>(net.layers.size()), 0, 0};
    InitializeWeights(Rng(key, Purpose::kWeights), block.w);
    std::fill_n(block.gamma.data(), units, 1.0f);
    std::fill_n(block.variance.data(), units, 1.0f);
    net.layers.push_back({{std::move(block)}});
    inputs = units;
  }
  net.output = {Mat(inputs, classes), Mat(1, classes)};
  InitializeWeights(Rng({1, 2, 0, 0}, Purpose::kOutput), net.output.w);
  return net;
}

}  // namespace gopnet::testing

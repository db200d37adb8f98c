// Inputs for tests of kernels: random matrices and all pairs of operators.
#pragma once

#include <random>
#include <vector>

#include "base/mat.h"
#include "ops/operator_set.h"

namespace gopnet::testing {

// Uniform in [-range, range].
inline Mat Random(size_t rows, size_t cols, double range, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(static_cast<float>(-range),
                                                static_cast<float>(range));
  Mat m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = uniform(random);
  }
  return m;
}

// Every nodal operator with every pool that is not constant.
inline std::vector<OperatorSet> Pairs(size_t inputs = 10) {
  std::vector<OperatorSet> pairs;
  for (const Candidate& c : Library(NodalNames(), PoolNames(), {"tanh"}, inputs))
    pairs.push_back(c.phi);
  return pairs;
}

}  // namespace gopnet::testing

// A small classification problem with one Gaussian blob per class.
#pragma once

#include <random>

#include "nn/problem.h"

namespace gopnet::testing {

inline Rows ToyRows(size_t rows, size_t inputs, size_t classes, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 1);
  Rows r;
  r.x = Mat(rows, inputs, inputs);
  for (size_t n = 0; n < rows; ++n) {
    const size_t label = n % classes;
    r.labels.push_back(static_cast<int32_t>(label));
    for (size_t j = 0; j < inputs; ++j) {
      r.x.Row(n)[j] = normal(random) + (j % classes == label ? 1.5f : 0.0f);
    }
  }
  return r;
}

inline Problem ToyProblem(size_t rows, size_t inputs, size_t classes) {
  Problem p;
  p.outputs = classes;
  p.train = ToyRows(rows, inputs, classes, 1);
  p.val = ToyRows(rows / 2, inputs, classes, 2);
  return p;
}

}  // namespace gopnet::testing

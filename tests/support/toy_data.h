// Training arrays for the public interface: six features, with three classes or two targets.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gopnet/gopnet.h"

namespace gopnet::testing {

struct Arrays {
  Matrix x;
  std::vector<int64_t> labels;
  Matrix targets;
};

inline Arrays MakeArrays(size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Arrays a{Matrix(rows, 6), {}, Matrix(rows, 2)};
  for (size_t n = 0; n < rows; ++n) {
    for (size_t j = 0; j < 6; ++j) a.x(n, j) = normal(random);
    const float score = a.x(n, 0) * a.x(n, 1) + 0.5f * std::sin(2 * a.x(n, 2));
    a.labels.push_back(score < -0.3f ? 7 : score < 0.3f ? 20 : 100);
    a.targets(n, 0) = 50 + 10 * score;
    a.targets(n, 1) = a.x(n, 3) - a.x(n, 4);
  }
  return a;
}

inline TrainData Data(const Arrays& a, Task task = Task::kClassification) {
  TrainData data;
  data.train =
      task == Task::kClassification ? MakeDataset(a.x, a.labels) : MakeDataset(a.x, a.targets);
  return data;
}

}  // namespace gopnet::testing

// Means and standard deviations of columns, in double. A NaN is a missing value and left out.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/stop_check.h"

namespace gopnet {

struct Moments {
  std::vector<double> mean, deviation;
};

// Moments of value(n, j), where row n counts weight(n) times.
template <class Value, class Weight>
Moments FitMoments(size_t rows, size_t columns, const Value& value, const Weight& weight) {
  std::vector<double> mean(columns), squares(columns), total(columns);
  for (size_t n = 0; n < rows; ++n) {
    StopCheck::AskAt(n);
    for (size_t j = 0; j < columns; ++j) {
      const double x = value(n, j);
      if (std::isnan(x)) continue;
      mean[j] += weight(n) * x;
      total[j] += weight(n);
    }
  }
  for (double& t : total) t = t > 0 ? t : 1;
  for (size_t j = 0; j < columns; ++j) mean[j] /= total[j];
  for (size_t n = 0; n < rows; ++n) {
    StopCheck::AskAt(n);
    for (size_t j = 0; j < columns; ++j) {
      const double d = value(n, j) - mean[j];
      if (!std::isnan(d)) squares[j] += weight(n) * d * d;
    }
  }
  for (size_t j = 0; j < columns; ++j) squares[j] = std::sqrt(squares[j] / total[j]);
  return {mean, squares};
}

}  // namespace gopnet

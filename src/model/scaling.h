// How raw features become the numbers that a network sees.
#pragma once

#include <cstddef>
#include <vector>

namespace gopnet {

// A column that is bent, not only shifted and stretched: through (knots[k], values[k]) by straight
// lines, and level outside.
struct Curve {
  size_t column = 0;
  std::vector<double> knots;  // ascending
  std::vector<double> values;
  double At(double x) const;
  bool Ascends() const;
};

// Column-wise z-score: (x - mean) / scale, cut to +-10, or a curve; NaN (a blank to fill) becomes
// 0, the mean.
struct Scaling {
  std::vector<double> mean;
  std::vector<double> scale;
  std::vector<Curve> curves = {};  // ascending columns
  void Apply(const float* row, float* out) const;
};

// Of each target's values: digits to write, six of them below its deviation, where a float has too
// few; else 0.
std::vector<int> ValueDigits(const Scaling& targets);

}  // namespace gopnet

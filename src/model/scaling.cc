#include "model/scaling.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/real_math.h"

namespace gopnet {

double Curve::At(double x) const {
  const auto next = std::upper_bound(knots.begin(), knots.end(), x);
  if (next == knots.begin()) return values.front();
  if (next == knots.end()) return values.back();
  const auto k = static_cast<size_t>(next - knots.begin());
  const double part = (x - knots[k - 1]) / (knots[k] - knots[k - 1]);
  return values[k - 1] + part * (values[k] - values[k - 1]);
}

bool Curve::Ascends() const {
  return std::adjacent_find(knots.begin(), knots.end(), std::greater_equal<>()) == knots.end();
}

void Scaling::Apply(const float* row, float* out) const {
  for (size_t j = 0; j < mean.size(); ++j) {
    const double z = (static_cast<double>(row[j]) - mean[j]) / scale[j];
    out[j] = std::isnan(z) ? 0.0f : static_cast<float>(std::clamp(z, -10.0, 10.0));
  }
  for (const Curve& curve : curves) {
    const auto x = static_cast<double>(row[curve.column]);
    if (!std::isnan(x)) out[curve.column] = static_cast<float>(curve.At(x));
  }
}

std::vector<int> ValueDigits(const Scaling& targets) {
  std::vector<int> digits;
  for (size_t j = 0; j < targets.mean.size(); ++j) {
    const double ratio = std::fabs(targets.mean[j] / targets.scale[j]);
    digits.push_back(ratio > 4096 ? std::min(17, 7 + static_cast<int>(real::Log10(ratio))) : 0);
  }
  return digits;
}

}  // namespace gopnet

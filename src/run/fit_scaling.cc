#include "run/fit_scaling.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/real_math.h"
#include "base/stop_check.h"
#include "linalg/moments.h"

namespace gopnet {
namespace {

constexpr size_t kEnough = 20'000;  // rows to see the shape of a column in
constexpr double kHeavyTails = 6;   // kurtosis; 3 is normal, 9 exponential
constexpr int kSteps = 30;          // knots of a curve on each side of its middle
constexpr double kReach = 3;        // standard deviations that a curve reaches

// The known values of a column, of very many rows every k-th.
std::vector<double> Sample(const std::vector<size_t>& rows, size_t column, const ValueAt& value) {
  std::vector<double> sample;
  const size_t step = (rows.size() + kEnough - 1) / kEnough;
  for (size_t i = 0; i < rows.size(); i += step) {
    const double x = value(rows[i], column);
    if (!std::isnan(x)) sample.push_back(x);
  }
  return sample;
}

// Fourth central moment over the square of the second.
double Kurtosis(const std::vector<double>& x) {
  double mean = 0, second = 0, fourth = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) {
    const double square = (v - mean) * (v - mean);
    second += square;
    fourth += square * square;
  }
  return second > 0 ? fourth * static_cast<double>(x.size()) / (second * second) : 0;
}

double Quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto k = std::min(static_cast<size_t>(at), sorted.size() - 2);
  return sorted[k] + (at - static_cast<double>(k)) * (sorted[k + 1] - sorted[k]);
}

// z -> the value that a share of Phi(z) of the column is below. Where many rows have one value, it
// gets the mean of their z.
Curve QuantileCurve(const std::vector<double>& sorted) {
  Curve curve;
  size_t same = 0;
  for (int k = -kSteps; k <= kSteps; ++k) {
    const double z = kReach * k / kSteps;
    const double x = Quantile(sorted, 0.5 * real::Erfc(-z / std::sqrt(2.0)));
    same = !curve.knots.empty() && x == curve.knots.back() ? same + 1 : 1;
    if (same == 1) {
      curve.knots.push_back(x);
      curve.values.push_back(z);
    } else {
      curve.values.back() += (z - curve.values.back()) / static_cast<double>(same);
    }
  }
  return curve;
}

// z / sqrt(1 + (z / 3)^2) of z = (x - median) / (distance of the quartiles), which never leaves
// +-3 (Holzmueller et al., 2024).
Curve RobustCurve(const std::vector<double>& sorted) {
  const double median = Quantile(sorted, 0.5);
  double spread = Quantile(sorted, 0.75) - Quantile(sorted, 0.25);
  if (spread <= 0) spread = (sorted.back() - sorted.front()) / 2;
  Curve curve;
  for (int k = -kSteps; k <= kSteps; ++k) {
    const double y = kReach * k / (kSteps + 1);
    curve.knots.push_back(median + spread * y / std::sqrt(1 - (y / kReach) * (y / kReach)));
    curve.values.push_back(y);
  }
  return curve;
}

// The curve of a column, standardised; none if a straight line does as well.
std::optional<Curve> FitCurve(ScaleChoice choice, std::vector<double> sorted) {
  if (choice == ScaleChoice::kAuto && Kurtosis(sorted) <= kHeavyTails) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  const auto second = std::upper_bound(sorted.begin(), sorted.end(), sorted.front());
  const bool two_values = second == sorted.end() || *second == sorted.back();
  if (sorted.size() < 3 || two_values) return std::nullopt;
  Curve curve = choice == ScaleChoice::kQuantile ? QuantileCurve(sorted) : RobustCurve(sorted);
  if (curve.knots.size() < 3 || !curve.Ascends()) return std::nullopt;
  const Moments moments = FitMoments(
      sorted.size(), 1, [&](size_t n, size_t) { return curve.At(sorted[n]); },
      [](size_t) { return 1.0; });
  if (moments.deviation[0] <= 1e-6) return std::nullopt;
  for (double& v : curve.values)
    v = std::clamp((v - moments.mean[0]) / moments.deviation[0], -10.0, 10.0);
  return curve;
}

}  // namespace

Scaling FitScaling(ScaleChoice choice, size_t columns, const std::vector<size_t>& rows,
                   const ValueAt& value) {
  Moments moments = FitMoments(
      rows.size(), columns, [&](size_t n, size_t j) { return value(rows[n], j); },
      [](size_t) { return 1.0; });
  Scaling s{std::move(moments.mean), std::vector<double>(columns, 1.0)};
  for (size_t j = 0; j < columns; ++j) {
    const double deviation = moments.deviation[j];
    // a deviation within rounding of the mean is a constant column too
    if (deviation <= 1e-7 * std::max(std::fabs(s.mean[j]), 1e-30)) continue;
    s.scale[j] = deviation;
    if (choice == ScaleChoice::kStandard) continue;
    StopCheck::Ask();
    if (std::optional<Curve> curve = FitCurve(choice, Sample(rows, j, value))) {
      curve->column = j;
      s.curves.push_back(std::move(*curve));
    }
  }
  return s;
}

Scaling UnitScaling(size_t columns, const std::vector<size_t>& rows, const ValueAt& value) {
  Scaling s{std::vector<double>(columns), std::vector<double>(columns, 1.0)};
  for (size_t j = 0; j < columns; ++j) {
    double low = value(rows[0], j), high = low;
    for (const size_t n : rows) {
      low = std::min(low, value(n, j));
      high = std::max(high, value(n, j));
    }
    if (high > low) s.scale[j] = (high - low) / 0.8;
    s.mean[j] = low - 0.1 * s.scale[j];
  }
  return s;
}

}  // namespace gopnet

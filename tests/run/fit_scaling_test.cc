// Checks every feature scaling against its formula.
#include "run/fit_scaling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gopnet {
namespace {

constexpr size_t kRows = 2000;

// 0: even, 1: heavy tails, 2: constant, 3: mostly 0
double Value(size_t row, size_t column) {
  const double u = (static_cast<double>((row * 7919) % kRows) + 0.5) / kRows;
  const double values[] = {u, std::exp(4 * u) * u, 5, u < 0.9 ? 0 : u};
  return values[column];
}

Scaling Fit(ScaleChoice choice) {
  std::vector<size_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), size_t{0});
  return FitScaling(choice, 4, rows, Value);
}

float Scaled(const Scaling& scaling, size_t row, size_t column) {
  float raw[4], out[4];
  for (size_t j = 0; j < 4; ++j) raw[j] = static_cast<float>(Value(row, j));
  scaling.Apply(raw, out);
  return out[column];
}

TEST(FitScaling, EveryChoiceGivesZeroMeanAndUnitDeviation) {
  for (const ScaleChoice choice :
       {ScaleChoice::kAuto, ScaleChoice::kStandard, ScaleChoice::kRobust, ScaleChoice::kQuantile}) {
    const Scaling scaling = Fit(choice);
    for (const size_t column : {0, 1, 3}) {
      double sum = 0, squares = 0;
      for (size_t n = 0; n < kRows; ++n) {
        const auto z = static_cast<double>(Scaled(scaling, n, column));
        sum += z / kRows;
        squares += z * z / kRows;
      }
      EXPECT_NEAR(sum, 0, 1e-4) << FormatValue(choice) << column;
      EXPECT_NEAR(squares, 1, 1e-3) << FormatValue(choice) << column;
    }
    EXPECT_EQ(Scaled(scaling, 7, 2), 0) << FormatValue(choice);
  }
}

TEST(FitScaling, AutoTransformsOnlyHeavyTails) {
  const Scaling scaling = Fit(ScaleChoice::kAuto);
  std::vector<size_t> bent;
  for (const Curve& curve : scaling.curves) bent.push_back(curve.column);
  EXPECT_EQ(bent, (std::vector<size_t>{3}));  // kurtosis: 1.8, 3.3, undefined, 8.3
}

// In a uniform column, the rank of a value is the value itself.
TEST(FitScaling, QuantileMapsRanksToNormalQuantiles) {
  const Scaling scaling = Fit(ScaleChoice::kQuantile);
  const auto at = [&](double x, size_t column) {
    float raw[4] = {static_cast<float>(x), static_cast<float>(x), 5, static_cast<float>(x)}, out[4];
    scaling.Apply(raw, out);
    return static_cast<double>(out[column]);
  };
  EXPECT_NEAR(at(0.5, 0), 0, 0.01);
  EXPECT_NEAR(at(0.8413447, 0), 1, 0.02);
  EXPECT_NEAR(at(0.0227501, 0), -2, 0.04);
  EXPECT_EQ(at(-5, 0), at(0, 0));  // constant outside the training range
}

TEST(FitScaling, RobustCompressesOutliers) {
  const Scaling scaling = Fit(ScaleChoice::kRobust);
  const Curve& curve = scaling.curves.front();
  ASSERT_EQ(curve.column, 0u);
  // z / sqrt(1 + (z / 3)^2), then standardised, which keeps the ratio of two differences.
  const auto formula = [](double x) {
    const double z = (x - 0.5) / 0.5;
    return z / std::sqrt(1 + z * z / 9);
  };
  const double ratio = (curve.At(3) - curve.At(0.5)) / (curve.At(1) - curve.At(0.5));
  EXPECT_NEAR(ratio, formula(3) / formula(1), 0.01);
  EXPECT_LT(curve.At(1e9), 3 * (curve.At(1) - curve.At(0.5)) / formula(1) + 1);
}

// A column with two values may have a huge kurtosis but needs no curve.
TEST(FitScaling, AColumnWithTwoValuesGetsNoCurve) {
  std::vector<size_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), size_t{0});
  for (const ScaleChoice choice :
       {ScaleChoice::kAuto, ScaleChoice::kRobust, ScaleChoice::kQuantile}) {
    const Scaling scaling =
        FitScaling(choice, 1, rows, [](size_t n, size_t) { return n == 7 ? 1.0 : 0.0; });
    EXPECT_TRUE(scaling.curves.empty()) << FormatValue(choice);
  }
}

TEST(FitScaling, ScaledValuesAreAtMostTen) {
  std::vector<size_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), size_t{0});
  const auto rare = [](size_t n, size_t) { return n < 3 ? 1.0 + static_cast<double>(n) : 0.0; };
  const Scaling scaling = FitScaling(ScaleChoice::kAuto, 1, rows, rare);
  for (const float x : {-1e30f, 0.0f, 3.0f, 1e30f}) {
    float out = 0;
    scaling.Apply(&x, &out);
    EXPECT_LE(std::fabs(out), 10) << x;
  }
}

TEST(FitScaling, MissingValuesBecomeTheMean) {
  const Scaling scaling = Fit(ScaleChoice::kQuantile);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  float raw[4] = {nan, nan, nan, nan}, out[4];
  scaling.Apply(raw, out);
  for (const float z : out) EXPECT_EQ(z, 0);
}

}  // namespace
}  // namespace gopnet

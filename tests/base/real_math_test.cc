// The functions of base/real_math.h against those of the C library in long double.
#include "base/real_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/rng.h"

namespace gopnet::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How many units in the last place of `exact` lie between the two.
double Units(double found, long double exact) {
  const auto near = static_cast<double>(exact);
  if (found == near) return 0;
  const double unit = std::nextafter(std::fabs(near), kInfinity) - std::fabs(near);
  return static_cast<double>(std::fabs(static_cast<long double>(found) - exact)) / unit;
}

// The largest distance for 200,000 numbers from `low` to `high`.
double Worst(double low, double high, const std::function<double(double)>& function,
             const std::function<long double(long double)>& exact) {
  Rng rng({.seed = 1}, Purpose::kWeights);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<double>(rng.Next64() >> 11);
    const double x = low + (high - low) * (bits * 0x1p-53);
    worst = std::max(worst, Units(function(x), exact(x)));
  }
  return worst;
}

TEST(RealMath, IsWithinTwoUnitsOfTheLastPlace) {
  static_assert(std::numeric_limits<long double>::digits > 60, "long double must be wider");
  const auto exp = [](long double x) { return std::exp(x); };
  const auto log = [](long double x) { return std::log(x); };
  for (const double reach : {1e-9, 0.3, 1.0, 20.0, 700.0})
    EXPECT_LE(Worst(-reach, reach, real::Exp, exp), 1) << reach;
  for (const double high : {1e-300, 0.7, 1.0, 1.5, 2.0, 1e6, 1e300}) {
    EXPECT_LE(Worst(0, high, real::Log, log), 1) << high;
    EXPECT_LE(Worst(0, high, real::Log2, [](long double x) { return std::log2(x); }), 1) << high;
    EXPECT_LE(Worst(0, high, real::Log10, [](long double x) { return std::log10(x); }), 1) << high;
  }
  EXPECT_LE(Worst(0.999, 1.001, real::Log, log), 1);
  EXPECT_LE(Worst(0.999, 1.001, real::Log2, [](long double x) { return std::log2(x); }), 1);
  for (const double y : {-30.0, -1.0, 0.0003, 0.5, 2.7, 40.0}) {
    EXPECT_LE(Worst(
                  0, 1000, [&](double x) { return real::Pow(x, y); },
                  [&](long double x) { return std::pow(x, static_cast<long double>(y)); }),
              2)
        << y;
  }
  constexpr long double kPi = 3.14159265358979323846264338327950288L;
  EXPECT_LE(Worst(-5, 5, real::CosOfTurns,
                  [&](long double x) {
                    const long double quarters = std::nearbyint(4 * x),
                                      rest = 2 * kPi * (x - quarters / 4);
                    switch ((static_cast<int>(quarters) % 4 + 4) % 4) {
                      case 0:
                        return std::cos(rest);
                      case 1:
                        return -std::sin(rest);
                      case 2:
                        return -std::cos(rest);
                      default:
                        return std::sin(rest);
                    }
                  }),
            2);
  for (const double y : {0.0, 1e-12, 0.5, 1.0, 3.0}) {
    EXPECT_LE(Worst(
                  -2, 2, [&](double x) { return real::Hypot(x, y); },
                  [&](long double x) { return std::hypot(x, static_cast<long double>(y)); }),
              2)
        << y;
  }
  for (const auto& [low, high] :
       {std::pair{-7.0, 0.0}, {0.0, 1.0}, {0.8, 1.3}, {1.0, 4.0}, {3.0, 10.0}, {10.0, 26.0}}) {
    EXPECT_LE(Worst(low, high, real::Erfc, [](long double x) { return std::erfc(x); }), 2) << low;
  }
}

TEST(RealMath, IsExactWhereTheResultIsSimple) {
  for (int k = -1074; k <= 1023; ++k) EXPECT_EQ(real::Log2(std::ldexp(1.0, k)), k);
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) EXPECT_EQ(real::Log10(power), k);
  EXPECT_EQ(real::Exp(0), 1);
  EXPECT_EQ(real::Log(1), 0);
  EXPECT_EQ(real::Pow(2, 10), 1024);
  EXPECT_EQ(real::Pow(7, 0), 1);
  EXPECT_EQ(real::CosOfTurns(0.5), -1);
  EXPECT_EQ(real::CosOfTurns(3), 1);
  EXPECT_EQ(std::fabs(real::CosOfTurns(0.25)), 0);
  EXPECT_EQ(real::Hypot(3, 4), 5);
  EXPECT_EQ(real::Erfc(0), 1);
  EXPECT_EQ(real::Power(0.5, 10), 0x1p-10);
  EXPECT_EQ(real::Power(3, 0), 1);
}

TEST(RealMath, EndsAsTheCLibraryDoes) {
  EXPECT_EQ(real::Exp(800), kInfinity);
  EXPECT_EQ(real::Exp(-800), 0);
  EXPECT_EQ(real::Exp(-745), std::exp(-745.0));
  EXPECT_EQ(real::Exp(-kInfinity), 0);
  EXPECT_EQ(real::Log(0), -kInfinity);
  EXPECT_EQ(real::Log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(real::Log(-1)));
  EXPECT_TRUE(std::isnan(real::Exp(std::nan(""))));
  EXPECT_TRUE(std::isnan(real::Pow(std::nan(""), 2)));
  EXPECT_EQ(real::Pow(0, 2), 0);
  EXPECT_EQ(real::Pow(1e200, 2), kInfinity);
  EXPECT_EQ(real::Hypot(1e200, 1e200), std::hypot(1e200, 1e200));
  EXPECT_GT(real::Hypot(1e-200, 1e-200), 1e-200);
  EXPECT_EQ(real::Erfc(30), 0);
  EXPECT_EQ(real::Erfc(-30), 2);
}

}  // namespace
}  // namespace gopnet::testing

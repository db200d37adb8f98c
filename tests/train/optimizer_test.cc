// Compares moving averages of weights with the same recursion in double.
#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gopnet {
namespace {

TEST(Optimizer, AveragesFollowTheirRecursion) {
  constexpr double kEma = 0.8;
  Mat value(1, 3), gradient(1, 3);
  std::fill_n(gradient.data(), 3, 1.0f);
  Optimizer optimizer({{value.view(), gradient.view()}}, 0.999, kEma);
  double average = 0;
  for (int step = 1; step <= 30; ++step) {
    optimizer.Step(0.1, {});
    const double keep = std::min(kEma, (1.0 + step) / (10.0 + step));
    average = keep * average + (1 - keep) * static_cast<double>(value.Row(0)[1]);
  }
  const float trained = value.Row(0)[1];
  optimizer.SwapAverages();
  EXPECT_NEAR(static_cast<double>(value.Row(0)[1]), average, 1e-5);
  optimizer.SwapAverages();
  EXPECT_EQ(value.Row(0)[1], trained);
}

TEST(Optimizer, WithoutAveragesSwappingDoesNothing) {
  Mat value(1, 2), gradient(1, 2);
  std::fill_n(gradient.data(), 2, 1.0f);
  Optimizer optimizer({{value.view(), gradient.view()}});
  optimizer.Step(0.1, {});
  const float trained = value.Row(0)[0];
  optimizer.SwapAverages();
  EXPECT_EQ(value.Row(0)[0], trained);
}

}  // namespace
}  // namespace gopnet

#include <gtest/gtest.h>

#include <random>

#include "linalg/gram.h"
#include "support/dense_reference.h"

namespace gopnet {
namespace {

TEST(ShardedGram, HasOneShardForFewRowsAndSixteenForMillions) {
  EXPECT_EQ(GramShards(1), 1u);
  EXPECT_EQ(GramShards(16384), 1u);
  EXPECT_EQ(GramShards(16385), 2u);
  EXPECT_EQ(GramShards(10'000'000), 16u);
}

TEST(ShardedGram, IsTheSumOverTheRowsAndTheSameForAnyNumberOfThreads) {
  constexpr size_t kRows = 40'001, kCols = 5;  // three shards
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Mat x(kRows, kCols, kCols);
  std::vector<float> weights(kRows);
  for (size_t n = 0; n < kRows; ++n) {
    weights[n] = std::fabs(normal(random));
    for (size_t j = 0; j < kCols; ++j) x.Row(n)[j] = normal(random);
  }
  const std::vector<double> mean = {0.1, 0, -0.2, 0, 3}, scale = {1, 2, 1, 0.5, 1};
  const Columns columns{x.view(), mean.data(), weights.data(), scale.data()};

  const DenseMatrix one = ShardedGram(columns, 1);
  for (const int threads : {2, 5})
    EXPECT_EQ(testing::ToEigen(ShardedGram(columns, threads)), testing::ToEigen(one)) << threads;
  for (size_t i = 0; i < kCols; ++i) {
    for (size_t j = 0; j < kCols; ++j) {
      double sum = 0;
      for (size_t n = 0; n < kRows; ++n) {
        sum += static_cast<double>(weights[n]) * (static_cast<double>(x.Row(n)[i]) - mean[i]) /
               scale[i] * (static_cast<double>(x.Row(n)[j]) - mean[j]) / scale[j];
      }
      EXPECT_NEAR(one(i, j), sum, 1e-6 * std::fabs(sum) + 1e-3);
    }
  }
}

}  // namespace
}  // namespace gopnet

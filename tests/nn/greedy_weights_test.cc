// Compares the greedy ensemble weights with cases worked by hand and with exhaustive search.
#include "nn/greedy_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace gopnet {
namespace {

Mat Column(const std::vector<float>& values) {
  Mat m(values.size(), 1);
  for (size_t n = 0; n < values.size(); ++n) m.Row(n)[0] = values[n];
  return m;
}

Rows Regression(const std::vector<float>& targets) {
  Rows rows;
  rows.x = Mat(targets.size(), 1);
  rows.targets = Column(targets);
  return rows;
}

TEST(GreedyWeights, MembersWithOppositeErrorsGetEqualWeights) {
  const Rows rows = Regression({1, 2, 3});
  const std::vector<double> w = GreedyWeights(
      {Column({2, 1, 4}), Column({0, 3, 2}), Column({9, 9, 9})}, rows, *MakeObjective("mse"));
  EXPECT_NEAR(w[0], 0.5, 0.03);
  EXPECT_NEAR(w[1], 0.5, 0.03);
  EXPECT_EQ(w[2], 0);
}

TEST(GreedyWeights, APerfectMemberGetsAllTheWeight) {
  Rows rows;
  rows.x = Mat(2, 1);
  rows.labels = {0, 1};
  Mat right(2, 2), wrong(2, 2);
  right.Row(0)[0] = right.Row(1)[1] = 1;
  wrong.Row(0)[1] = wrong.Row(1)[0] = 1;
  EXPECT_EQ(GreedyWeights({wrong, right}, rows, *MakeObjective("cross_entropy")),
            (std::vector<double>{0, 1}));
}

TEST(GreedyWeights, RowsOfWeightZeroDoNotCount) {
  Rows rows = Regression({1, 0});
  rows.weights = {1, 0};
  EXPECT_EQ(GreedyWeights({Column({0, 0}), Column({1, 50})}, rows, *MakeObjective("mse")),
            (std::vector<double>{0, 1}));
}

TEST(GreedyWeights, AreNoWorseThanTheBestMemberAndThePlainMean) {
  Rng rng({7, 0, 0, 0}, Purpose::kSplit);
  std::vector<float> truth(200);
  std::vector<Mat> outputs(5, Mat(200, 1));
  for (size_t n = 0; n < truth.size(); ++n) {
    truth[n] = static_cast<float>(rng.Uniform());
    for (size_t m = 0; m < outputs.size(); ++m)
      outputs[m].Row(n)[0] =
          truth[n] + static_cast<float>((rng.Uniform() - 0.3) * (0.5 + static_cast<double>(m)));
  }
  const Rows rows = Regression(truth);
  const auto error = [&](const std::vector<double>& w) {
    double sum = 0;
    for (size_t n = 0; n < truth.size(); ++n) {
      double y = 0;
      for (size_t m = 0; m < w.size(); ++m) y += w[m] * static_cast<double>(outputs[m].Row(n)[0]);
      sum += std::pow(y - static_cast<double>(truth[n]), 2);
    }
    return sum;
  };
  const double greedy = error(GreedyWeights(outputs, rows, *MakeObjective("mse")));
  EXPECT_LE(greedy, error(std::vector<double>(5, 0.2)));
  for (size_t m = 0; m < 5; ++m) {
    std::vector<double> alone(5);
    alone[m] = 1;
    EXPECT_LE(greedy, error(alone));
  }
}

// The second member has the lower squared error, the first the lower pinball loss.
TEST(GreedyWeights, MinimiseTheTrainingLoss) {
  const Rows rows = Regression({0, 0, 0, 0});
  const std::vector<Mat> outputs = {Column({3, 3, 3, 3}), Column({-2, -2, -2, -2})};
  const auto pinball = FindLoss("pinball").make(0.9);
  const auto loss = [&](double share) {
    const double y = share * 3 - (1 - share) * 2;
    return y < 0 ? -0.9 * y : 0.1 * y;
  };
  const std::vector<double> w = GreedyWeights(outputs, rows, *pinball);
  EXPECT_NEAR(w[0] + w[1], 1, 1e-12);
  for (int k = 0; k <= 25; ++k) EXPECT_LE(loss(w[0]), loss(k / 25.0) + 0.02) << k;
  const std::vector<double> alone = GreedyWeights(
      {Column({3, 3, 3, 3}), Column({-2, -2, -2, -2}), Column({0, 0, 0, 0})}, rows, *pinball);
  EXPECT_EQ(alone, (std::vector<double>{0, 0, 1}));
}

}  // namespace
}  // namespace gopnet

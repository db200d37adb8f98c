// Checks that the linear baseline minimises its loss. python/tests/test_yardsticks.py compares the
// baselines with scikit-learn.
#include "nn/yardstick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/toy_problem.h"

namespace gopnet {
namespace {

// At the minimum of logistic regression, the sum over rows of (p - t) x' plus w is 0.
TEST(Yardstick, LogisticRegressionEndsWithZeroGradient) {
  const Problem problem = testing::ToyProblem(150, 6, 3);
  const OutputLayer model = FitLinear(problem, *problem.objective).output;
  const Rows& rows = problem.train;
  for (size_t i = 0; i < 6; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      double gradient = static_cast<double>(model.w.Row(i)[c]);
      for (size_t n = 0; n < rows.size(); ++n) {
        double total = 0, own = 0;
        for (size_t k = 0; k < 3; ++k) {
          double z = static_cast<double>(model.b.data()[k]);
          for (size_t j = 0; j < 6; ++j)
            z += static_cast<double>(rows.x.Row(n)[j]) * static_cast<double>(model.w.Row(j)[k]);
          total += std::exp(z);
          if (k == c) own = std::exp(z);
        }
        const double truth = rows.labels[n] == static_cast<int32_t>(c) ? 1 : 0;
        gradient += (own / total - truth) * static_cast<double>(rows.x.Row(n)[i]);
      }
      EXPECT_NEAR(gradient, 0, 0.15) << i << " " << c;  // sums over 150 rows
    }
  }
}

TEST(Yardstick, RidgeRegressionFindsALineAndTheConstantIsTheMean) {
  Problem problem;
  problem.task = Task::kRegression;
  problem.outputs = 1;
  problem.objective = MakeObjective("mse");
  problem.target_scale = {1};
  problem.train.x = Mat(1000, 2);
  problem.train.targets = Mat(1000, 1);
  for (size_t n = 0; n < 1000; ++n) {
    const auto a = static_cast<float>(std::sin(static_cast<double>(n)));
    const auto b = static_cast<float>(std::cos(3.0 * static_cast<double>(n)));
    problem.train.x.Row(n)[0] = a;
    problem.train.x.Row(n)[1] = b;
    problem.train.targets.Row(n)[0] = 2 * a - 3 * b + 1;
  }
  const OutputLayer model = FitLinear(problem, *problem.objective).output;
  EXPECT_NEAR(static_cast<double>(model.w.Row(0)[0]), 2, 0.02);
  EXPECT_NEAR(static_cast<double>(model.w.Row(1)[0]), -3, 0.02);
  EXPECT_NEAR(static_cast<double>(model.b.data()[0]), 1, 0.02);
  const auto yardsticks = Yardsticks(problem, problem.train);
  EXPECT_GT(yardsticks.at("linear").at("r2"), 0.9999);
  EXPECT_NEAR(yardsticks.at("constant").at("r2"), 0, 1e-6);
}

// A subsample of the rows, drawn to save time, would miss some classes.
TEST(Yardstick, LinearLearnsHundredsOfClassesForAnyNumberOfThreads) {
  constexpr size_t kClasses = 400;
  Problem problem;
  problem.outputs = kClasses;
  problem.train.x = Mat(3 * kClasses, 450);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (size_t n = 0; n < problem.train.x.rows(); ++n) {
    problem.train.labels.push_back(static_cast<int32_t>(n % kClasses));
    for (size_t j = 0; j < 450; ++j) problem.train.x.Row(n)[j] = normal(random);
  }
  const OutputLayer one = FitLinear(problem, *problem.objective, 1, 1).output,
                    three = FitLinear(problem, *problem.objective, 1, 3).output;
  for (size_t i = 0; i < 450; ++i) {
    for (size_t c = 0; c < kClasses; ++c) ASSERT_EQ(one.w.Row(i)[c], three.w.Row(i)[c]);
  }
  EXPECT_GT(Yardsticks(problem, problem.train, 2).at("linear").at("accuracy"), 0.99);
}

TEST(Yardstick, TheConstantIsTheMostFrequentClass) {
  Problem problem = testing::ToyProblem(100, 4, 2);
  for (size_t n = 0; n < 100; ++n) problem.train.labels[n] = n % 4 == 0 ? 0 : 1;
  EXPECT_DOUBLE_EQ(Yardsticks(problem, problem.train).at("constant").at("accuracy"), 0.75);
}

// With few networks, some folds are never held out. Their rows do not count in the score.
TEST(Yardstick, FoldsThatAreNeverHeldOutDoNotCount) {
  Problem problem = testing::ToyProblem(100, 4, 2);
  std::vector<uint8_t> fold_of_row(100);
  for (size_t n = 0; n < 100; ++n) fold_of_row[n] = static_cast<uint8_t>(n % 5);
  for (size_t n = 0; n < 100; ++n) problem.train.labels[n] = n % 5 == 1 && n < 50 ? 0 : 1;
  const auto judged = FoldYardsticks(problem, fold_of_row, {1, 2});
  EXPECT_DOUBLE_EQ(judged.at("constant").at("accuracy"), 0.75);  // 10 of 40 rows have class 0
}

// y = 2 x + noise, so the residuals have the quantiles of the noise.
TEST(Yardstick, QuantileIsAboveThatShareOfTheRows) {
  Problem problem;
  problem.task = Task::kRegression;
  problem.outputs = 1;
  problem.objective = FindLoss("pinball").make(0.9);
  problem.metric = FindMetric("loss");
  problem.target_scale = {1};
  problem.train.x = Mat(1000, 1);
  problem.train.targets = Mat(1000, 1);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (size_t n = 0; n < 1000; ++n) {
    problem.train.x(n, 0) = normal(random);
    problem.train.targets(n, 0) = 2 * problem.train.x(n, 0) + normal(random);
  }
  const OutputLayer line = FitLinear(problem, *problem.objective).output;
  double below = 0, below_constant = 0;
  for (size_t n = 0; n < 1000; ++n)
    below += problem.train.targets(n, 0) <= line.w(0, 0) * problem.train.x(n, 0) + line.b.data()[0];
  EXPECT_NEAR(below, 900, 15);
  const auto yardsticks = Yardsticks(problem, problem.train);
  // No constant has a smaller loss than the quantile of the targets.
  std::vector<float> sorted(problem.train.targets.rows());
  for (size_t n = 0; n < sorted.size(); ++n) sorted[n] = problem.train.targets(n, 0);
  std::sort(sorted.begin(), sorted.end());
  Mat constant(1000, 1);
  for (size_t n = 0; n < 1000; ++n) {
    constant(n, 0) = sorted[899];
    below_constant += problem.train.targets(n, 0) <= sorted[899];
  }
  EXPECT_EQ(below_constant, 900);
  const double least = problem.objective->LossOf(constant.view(), problem.train.AsGoal()) / 1000;
  EXPECT_NEAR(yardsticks.at("constant").at("loss"), least, 1e-6);
  EXPECT_LT(yardsticks.at("linear").at("loss"), 0.6 * least);
}

}  // namespace
}  // namespace gopnet

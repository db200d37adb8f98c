// Compares metrics with cases worked by hand, and tests the stop rule in both directions.
#include "nn/metric.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gopnet {
namespace {

TEST(StopRule, Table) {
  const double nan = std::nan("");
  struct Case {
    double before, now, direction;
    bool improves;
  };
  for (const Case& c : {Case{0.9, 0.91, 1, true},
                        {0.9, 0.90005, 1, false},
                        {0.9, 0.9, 1, false},
                        {0.9, 0.8, 1, false},
                        {0, 0.1, 1, true},
                        {0, 0, 1, false},
                        {-0.5, -0.4, 1, true},
                        {-0.5, -0.6, 1, false},
                        {-0.1, 0.2, 1, true},
                        {1.0, 0.9, -1, true},
                        {1.0, 1.1, -1, false},
                        {0.5, nan, 1, false},
                        {0.5, nan, -1, false},
                        {0.5, INFINITY, 1, false}}) {
    EXPECT_EQ(Improves(c.now, c.before, c.direction, 1e-4), c.improves)
        << c.before << " -> " << c.now;
  }
}

TEST(Score, NaNNeverWinsAndLossBreaksTies) {
  const Score a{0.9, 0.5, true}, b{0.9, 0.4, true}, invalid{};
  EXPECT_TRUE(Better(b, a, 1));
  EXPECT_FALSE(Better(a, b, 1));
  EXPECT_FALSE(Better(a, a, 1));
  EXPECT_TRUE(Better(a, invalid, 1));
  EXPECT_FALSE(Better(invalid, a, 1));
  EXPECT_TRUE(Better({0.2, 1, true}, {0.3, 1, true}, -1));
}

// Two rows in one bin with confidence 0.88, one of them correct.
TEST(Metrics, CalibrationErrorMatchesAHandComputedValue) {
  Problem problem;
  problem.outputs = 2;
  Rows rows;
  rows.x = Mat(2, 1, 1);
  rows.labels = {0, 1};
  const auto error = [&](double temperature) {
    Mat logits(2, 2);
    logits.Row(0)[0] = logits.Row(1)[0] = 2;
    MetricSums sums(problem, rows, temperature);
    sums.Add(0, logits.view());
    return sums.All().at("ece");
  };
  EXPECT_NEAR(error(1), 1 / (1 + std::exp(-2.0)) - 0.5, 1e-6);
  EXPECT_NEAR(error(0.5), 1 / (1 + std::exp(-1.0)) - 0.5, 1e-6);
}

Problem Classes(size_t outputs) {
  Problem p;
  p.outputs = outputs;
  return p;
}

TEST(Metrics, ClassificationMatchesHandComputedValues) {
  const Problem problem = Classes(3);
  Rows rows;
  rows.x = Mat(5, 1, 1);
  rows.labels = {0, 0, 1, 2, -1};  // the last label is unknown: an error
  Mat logits(5, 3);
  const size_t predicted[] = {0, 1, 1, 2, 2};
  for (size_t n = 0; n < 5; ++n) logits.Row(n)[predicted[n]] = 2;
  MetricSums sums(problem, rows);
  sums.Add(0, logits.view());
  EXPECT_DOUBLE_EQ(sums.Measure(*FindMetric("accuracy")), 3.0 / 5);
  EXPECT_DOUBLE_EQ(sums.Measure(*FindMetric("balanced_accuracy")), (0.5 + 1 + 1 + 0) / 4);
  EXPECT_NEAR(sums.Measure(*FindMetric("f1_macro")), (2.0 / 3 + 2.0 / 3 + 2.0 / 3 + 0) / 4, 1e-12);
  const double hit = std::log(std::exp(2.0) + 2) - 2, miss = std::log(std::exp(2.0) + 2);
  EXPECT_NEAR(sums.Loss(), (3 * hit + miss) / 4, 1e-6);
}

TEST(Metrics, LossAndSelectionAccuracyAreWeighted) {
  const Problem problem = Classes(2);
  Rows rows;
  rows.x = Mat(4, 1, 1);
  rows.labels = {0, 1, 1, -1};
  rows.weights = {6, 1, 1, 2};
  Mat logits(4, 2);
  for (size_t n = 0; n < 4; ++n) logits.Row(n)[0] = 2;  // every prediction is class 0
  MetricSums sums(problem, rows);
  sums.Add(0, logits.view());
  EXPECT_DOUBLE_EQ(sums.Measure(*FindMetric("accuracy")), 6.0 / 10);
  EXPECT_DOUBLE_EQ(sums.All().at("accuracy"), 1.0 / 4);
  const double hit = std::log(std::exp(2.0) + 1) - 2, miss = std::log(std::exp(2.0) + 1);
  EXPECT_NEAR(sums.Loss(), (6 * hit + 2 * miss) / 8, 1e-6);
}

TEST(Metrics, RegressionIsInOriginalUnits) {
  Problem problem;
  problem.task = Task::kRegression;
  problem.objective = MakeObjective("mse");
  problem.outputs = 2;
  problem.target_scale = {10, 1};
  Rows rows;
  rows.x = Mat(3, 1, 1);
  rows.targets = Mat(3, 2);
  Mat out(3, 2);
  const float targets[3][2] = {{0, 1}, {1, 1}, {2, 4}}, outputs[3][2] = {{0, 2}, {1, 1}, {1, 4}};
  for (size_t n = 0; n < 3; ++n) {
    for (size_t j = 0; j < 2; ++j) {
      rows.targets.Row(n)[j] = targets[n][j];
      out.Row(n)[j] = outputs[n][j];
    }
  }
  MetricSums sums(problem, rows);
  sums.Add(0, out.view());
  EXPECT_NEAR(sums.Measure(*FindMetric("mse")), (100.0 / 3 + 1.0 / 3) / 2, 1e-9);
  EXPECT_NEAR(sums.All().at("mae"), (10.0 / 3 + 1.0 / 3) / 2, 1e-9);
  EXPECT_NEAR(sums.Measure(*FindMetric("r2")), ((1 - 1.0 / 2) + (1 - 1.0 / 6)) / 2, 1e-9);
  EXPECT_NEAR(sums.Loss(), (0.5 + 0 + 0.5) / 3, 1e-6);
}

}  // namespace
}  // namespace gopnet

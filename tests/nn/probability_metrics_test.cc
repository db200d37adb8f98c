// Compares metrics of probabilities with cases worked by hand. tests/cli/test_results.py compares
// them with scikit-learn.
#include "nn/probability_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gopnet {
namespace {

Mat OfSecond(const std::vector<float>& p) {
  Mat m(p.size(), 2);
  for (size_t n = 0; n < p.size(); ++n) {
    m.Row(n)[0] = 1 - p[n];
    m.Row(n)[1] = p[n];
  }
  return m;
}

TEST(ProbabilityMetrics, AucCountsOrderedPairsAndHalfOfTies) {
  // There are 2 x 3 pairs (yes, no): 3 in order, 2 tied and 1 reversed, so AUC is 4 / 6. Precision
  // is 1 of 2 at the first yes, which ties with a no, and 2 of 4 at the second.
  const Mat p = OfSecond({0.75f, 0.75f, 0.5f, 0.5f, 0.25f});
  const Metrics m = ProbabilityMetrics(p.view(), {1, 0, 1, 0, 0});
  EXPECT_DOUBLE_EQ(m.at("auc"), 4.0 / 6);
  EXPECT_DOUBLE_EQ(m.at("pr_auc"), 0.5 * 1 / 2 + 0.5 * 2 / 4);
  EXPECT_NEAR(m.at("log_loss"),
              -(std::log(0.75) + std::log(0.25) + 2 * std::log(0.5) + std::log(0.75)) / 5, 1e-12);
}

TEST(ProbabilityMetrics, UnknownRowsAndAbsentClassesDoNotCount) {
  Mat p(3, 3);
  for (size_t n = 0; n < 3; ++n)
    for (size_t j = 0; j < 3; ++j) p.Row(n)[j] = n == j ? 0.5f : 0.25f;
  const Metrics m = ProbabilityMetrics(p.view(), {0, 1, -1});
  EXPECT_DOUBLE_EQ(m.at("auc"), 1);  // over the first two classes
  EXPECT_NEAR(m.at("log_loss"), -std::log(0.5), 1e-12);
  EXPECT_EQ(m.count("pr_auc"), 0u);
  EXPECT_TRUE(std::isnan(ProbabilityMetrics(p.view(), {1, 1, 1}).at("auc")));
  EXPECT_TRUE(std::isnan(ProbabilityMetrics(p.view(), {-1, -1, -1}).at("log_loss")));
}

TEST(ProbabilityMetrics, LogLossOfACertainErrorIsFinite) {
  EXPECT_NEAR(ProbabilityMetrics(OfSecond({0.0f, 1.0f}).view(), {1, 1}).at("log_loss"),
              -std::log(2.220446049250313e-16) / 2, 1e-9);
}

// The selection metric is weighted, including in the record of a layer.
TEST(Metrics, SelectionMetricIsWeighted) {
  Problem problem;
  problem.outputs = 2;
  Rows rows;
  rows.x = Mat(2, 1, 1);
  rows.labels = {0, 1};
  rows.weights = {3, 1};
  Mat logits(2, 2);
  logits.Row(0)[0] = logits.Row(1)[0] = 2;
  MetricSums sums(problem, rows);
  sums.Add(0, logits.view());
  EXPECT_DOUBLE_EQ(sums.All().at("accuracy"), 0.5);
  EXPECT_DOUBLE_EQ(sums.AsChosen().at("accuracy"), 0.75);
}

}  // namespace
}  // namespace gopnet

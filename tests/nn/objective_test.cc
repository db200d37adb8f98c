// Losses: gradients, values worked by hand, and the metrics for each task.
#include "nn/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "nn/metric.h"

namespace gopnet {
namespace {

// Two rows of three outputs. No value is within a difference step of a kink of a loss.
struct Case {
  Mat outputs = Mat(2, 3), targets = Mat(2, 3);
  std::vector<int32_t> labels = {2, 0};
  std::vector<float> weights = {1, 3};
  Case() {
    const float y[2][3] = {{0.5f, -2, 3}, {0.25f, 1, -0.75f}};
    const float t[2][3] = {{0, 1, 1}, {0.5f, 0.75f, -4}};
    for (size_t n = 0; n < 2; ++n) {
      std::copy_n(y[n], 3, outputs.Row(n));
      std::copy_n(t[n], 3, targets.Row(n));
    }
  }
  Goal goal() const { return {labels.data(), targets.view(), weights.data()}; }
};

TEST(Objective, GradientsAgreeWithDifferencesOfTheLoss) {
  for (const Loss& loss : AllLosses()) {
    SCOPED_TRACE(loss.name);
    const auto objective = MakeObjective(loss.name);
    Case c;
    Mat gradient = c.outputs;
    const double total = 5, sum = objective->Gradient(gradient.view(), c.goal(), total);
    EXPECT_NEAR(sum, objective->LossOf(c.outputs.view(), c.goal()), 1e-12);
    const float step = 1.0f / 64;
    for (size_t n = 0; n < 2; ++n) {
      for (size_t j = 0; j < 3; ++j) {
        const float at = c.outputs(n, j);
        const auto moved = [&](float by) {
          c.outputs(n, j) = at + by;
          const double value = objective->LossOf(c.outputs.view(), c.goal());
          c.outputs(n, j) = at;
          return value;
        };
        const double slope = (moved(step) - moved(-step)) / (2 * static_cast<double>(step));
        EXPECT_NEAR(static_cast<double>(gradient(n, j)), slope / total, 3e-5) << n << " " << j;
      }
    }
  }
}

double LossOfError(const Objective& objective, float error) {
  Mat y(1, 1), t(1, 1);
  y(0, 0) = error;
  return objective.LossOf(y.view(), {nullptr, t.view(), nullptr});
}

TEST(Objective, ValuesMatchHandComputedOnes) {
  const auto huber = FindLoss("huber").make(2);
  EXPECT_DOUBLE_EQ(LossOfError(*huber, 1.5f), 2.25);
  EXPECT_DOUBLE_EQ(LossOfError(*huber, -5), 2 * 2 * 5 - 2 * 2);
  const auto pinball = FindLoss("pinball").make(0.9);
  EXPECT_DOUBLE_EQ(LossOfError(*pinball, -2), 1.8);  // below the target
  EXPECT_NEAR(LossOfError(*pinball, 2), 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(LossOfError(*MakeObjective("mse"), -3), 9);
  EXPECT_TRUE(std::isnan(LossOfError(*pinball, std::nanf(""))));
  EXPECT_TRUE(std::isnan(LossOfError(*huber, std::nanf(""))));
}

TEST(Objective, EveryTaskHasADefaultLoss) {
  EXPECT_STREQ(UsualLoss(Task::kClassification).name, "cross_entropy");
  EXPECT_STREQ(UsualLoss(Task::kRegression).name, "mse");
  for (const Loss& loss : AllLosses()) EXPECT_TRUE(loss.of_classes || loss.of_values) << loss.name;
}

TEST(Metric, NamesAreUniqueAndEachFitsATask) {
  std::set<std::string> names;
  for (const Metric& metric : AllMetrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_EQ(FindMetric(metric.name), &metric);
    Problem classes, values;
    values.task = Task::kRegression;
    values.objective = MakeObjective("mse");
    EXPECT_TRUE(metric.Fits(classes) || metric.Fits(values)) << metric.name;
  }
  EXPECT_EQ(FindMetric("f1"), nullptr);
}

Rows LabelledRows(const std::vector<int32_t>& labels) {
  Rows rows;
  rows.x = Mat(labels.size(), 1, 1);
  rows.labels = labels;
  return rows;
}

TEST(Metric, AveragePrecisionIsWeightedAndSkipsClassesWithoutRows) {
  Problem problem;
  problem.metric = FindMetric("pr_auc");
  problem.outputs = 3;
  Rows rows = LabelledRows({0, 1, 0, 1});
  rows.weights = {1, 2, 3, 1};
  Mat logits(4, 3);  // class 0 ranks the rows 1, 0, 2, 3; class 1 ranks them in reverse
  for (size_t n = 0; n < 4; ++n) logits(n, 0) = n == 1 ? 9 : 5 - static_cast<float>(n);
  MetricSums sums(problem, rows);
  sums.Add(0, logits.view());
  const double first = (1 * 1.0 / 3 + 3 * 4.0 / 6) / 4, second = (1 * 1.0 + 2 * 3.0 / 7) / 3;
  EXPECT_NEAR(sums.Measure(), (first + second) / 2, 1e-12);
  // Reported metrics are unweighted.
  const double plain = ((1.0 / 2 + 2.0 / 3) / 2 + (1.0 + 2.0 / 4) / 2) / 2;
  EXPECT_NEAR(sums.All().at("pr_auc"), plain, 1e-12);
  EXPECT_EQ(sums.AsChosen().at("pr_auc"), sums.Measure());
  problem.metric = FindMetric("accuracy");
  EXPECT_EQ(MetricSums(problem, rows).All().count("pr_auc"), 0u);  // for two classes only
}

}  // namespace
}  // namespace gopnet

// When a linear model joins an ensemble, and its weight.
#include "algorithms/linear_member.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "kernels/loss.h"
#include "nn/temperature.h"

namespace gopnet {
namespace {

constexpr size_t kFeatures = 5;

// Two targets, linear in the features plus noise of the given size.
Rows LinearRows(size_t count, double noise, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Rows rows;
  rows.x = Mat(count, kFeatures);
  rows.targets = Mat(count, 2);
  for (size_t n = 0; n < count; ++n) {
    double sum = 0;
    for (size_t j = 0; j < kFeatures; ++j) {
      const double x = normal(engine);
      rows.x.Row(n)[j] = static_cast<float>(x);
      sum += x / std::sqrt(static_cast<double>(kFeatures));
    }
    rows.targets.Row(n)[0] = static_cast<float>(sum + noise * normal(engine));
    rows.targets.Row(n)[1] = static_cast<float>(noise * normal(engine) - sum);
  }
  return rows;
}

Problem LinearProblem(double noise, unsigned seed) {
  Problem problem;
  problem.task = Task::kRegression;
  problem.outputs = 2;
  problem.objective = MakeObjective("mse");
  problem.target_scale = {1, 1};
  problem.train = LinearRows(200, noise, seed);
  problem.val = LinearRows(100, noise, seed + 1);
  return problem;
}

std::vector<size_t> All(size_t count) {
  std::vector<size_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// Outputs of networks with errors of the given size.
Mat Networks(const Rows& rows, double error, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal(0, error);
  Mat said = rows.targets;
  for (size_t n = 0; n < said.rows(); ++n)
    for (size_t j = 0; j < said.cols(); ++j) said.Row(n)[j] += static_cast<float>(normal(engine));
  return said;
}

double SquaredErrorOf(const Rows& rows, const Mat& a, const Mat& l, double share) {
  double sum = 0;
  for (size_t n = 0; n < rows.size(); ++n) {
    for (size_t j = 0; j < a.cols(); ++j) {
      const auto said = static_cast<double>(a.Row(n)[j]), linear = static_cast<double>(l.Row(n)[j]);
      const double gap =
          (1 - share) * said + share * linear - static_cast<double>(rows.targets.Row(n)[j]);
      sum += gap * gap;
    }
  }
  return sum;
}

TEST(LinearMember, CountsAsMuchAsMakesTheSquaredErrorLeast) {
  const Problem problem = LinearProblem(0.5, 1);
  const Mat networks = Networks(problem.val, 0.5, 3);
  const auto member = FitLinearMember(problem, {}, All(100), networks);
  ASSERT_TRUE(member);
  EXPECT_TRUE(member->network.layers.empty());
  EXPECT_GT(member->weight, 0.3);
  EXPECT_LT(member->weight, 0.7);
  const auto error = [&](double share) {
    return SquaredErrorOf(problem.val, networks, member->outputs, share);
  };
  EXPECT_LT(error(member->weight), error(member->weight - 0.01));
  EXPECT_LT(error(member->weight), error(member->weight + 0.01));
}

TEST(LinearMember, IsLeftOutWhereNetworksAreBetter) {
  const Problem problem = LinearProblem(0.5, 1);
  EXPECT_FALSE(FitLinearMember(problem, {}, All(100), Networks(problem.val, 0.02, 3)));
}

// Unpredictable targets and networks that predict the mean: a linear model that joins by chance
// hardly increases the error on new rows.
TEST(LinearMember, DoesNoHarmWhereItHelpsByChance) {
  double without = 0, with = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Problem problem = LinearProblem(0, seed);
    problem.train.targets = Networks({Mat(200, 1), {}, Mat(200, 2), {}}, 1, seed);
    problem.val.targets = Networks({Mat(100, 1), {}, Mat(100, 2), {}}, 1, seed + 100);
    const auto member = FitLinearMember(problem, {}, All(100), Mat(100, 2));
    Rows rows = LinearRows(500, 0, seed + 200);
    rows.targets = Networks({Mat(500, 1), {}, Mat(500, 2), {}}, 1, seed + 300);
    const Mat said = member ? Outputs(member->network, rows.x.view()) : Mat(500, 2);
    without += SquaredErrorOf(rows, Mat(500, 2), said, 0);
    with += SquaredErrorOf(rows, Mat(500, 2), said, member ? member->weight : 0);
  }
  EXPECT_LT(with, 1.005 * without);
}

TEST(LinearMember, ShrinksAsFarAsTheRowsHeldOutWant) {
  const auto length = [](double noise) {
    const auto member = FitLinearMember(LinearProblem(noise, 1), {}, All(100), Mat(100, 2));
    return member ? std::fabs(member->network.output.w.Row(0)[0]) : 0.0f;
  };
  EXPECT_NEAR(length(0.1), 1 / std::sqrt(5.0), 0.05);
  EXPECT_LT(length(5), 0.3f);
}

TEST(LinearMember, PredictsEachRowWithoutHavingSeenIt) {
  Problem problem = LinearProblem(0.5, 1);
  Folds folds;
  folds.count = 4;
  for (size_t n = 0; n < 200; ++n) folds.of_row.push_back(static_cast<uint8_t>(n % 4));
  const Mat networks = Networks(problem.train, 1, 3);
  const auto before = FitLinearMember(problem, folds, All(200), networks);
  problem.train.targets.Row(6)[0] += 3;  // of fold 2
  const auto after = FitLinearMember(problem, folds, All(200), networks);
  ASSERT_TRUE(before && after);
  for (size_t n = 0; n < 200; ++n)
    EXPECT_EQ(before->outputs.Row(n)[0] == after->outputs.Row(n)[0], n % 4 == 2) << n;
  EXPECT_NE(before->network.output.w.Row(0)[0], after->network.output.w.Row(0)[0]);
}

// With squared errors (POP), classes coded as 0 and 1 are fitted like regression targets.
TEST(LinearMember, OfClassesByTheirSquaredErrorsIsARegression) {
  Problem problem = LinearProblem(0.5, 1);
  for (Rows* rows : {&problem.train, &problem.val}) {
    for (size_t n = 0; n < rows->size(); ++n) {
      const bool second = rows->targets.Row(n)[1] > 0;
      rows->labels.push_back(second ? 1 : 0);
      rows->targets.Row(n)[0] = second ? 0 : 1;
      rows->targets.Row(n)[1] = second ? 1 : 0;
    }
  }
  const Mat networks = Networks(problem.val, 0.5, 3);
  const auto values = FitLinearMember(problem, {}, All(100), networks);
  problem.task = Task::kClassification;
  const auto classes = FitLinearMember(problem, {}, All(100), networks);
  ASSERT_TRUE(values && classes);
  EXPECT_GT(classes->weight, 0.3);
  EXPECT_EQ(classes->weight, values->weight);
  for (size_t j = 0; j < kFeatures; ++j)
    EXPECT_EQ(classes->network.output.w.Row(j)[0], values->network.output.w.Row(j)[0]);
}

TEST(LinearMember, OfClassesHasTheBestBrierScore) {
  Problem problem = LinearProblem(1, 1);
  problem.task = Task::kClassification;
  problem.objective = MakeObjective("cross_entropy");
  for (Rows* rows : {&problem.train, &problem.val})
    for (size_t n = 0; n < rows->size(); ++n)
      rows->labels.push_back(rows->targets.Row(n)[0] > 0 ? 1 : 0);
  Mat networks(100, 2);  // logits of networks that are right for two thirds of the rows
  const auto said = [&](size_t n) { return (problem.val.labels[n] == 1) != (n % 3 == 0); };
  for (size_t n = 0; n < 100; ++n) networks.Row(n)[1] = said(n) ? 1 : -1;
  const auto member = FitLinearMember(problem, {}, All(100), networks);
  ASSERT_TRUE(member);
  const double theta = FitTemperature(networks, problem.val);  // of both
  const auto sigmoid = [&](const float* z) {
    return 1 / (1 + std::exp(theta * (static_cast<double>(z[0]) - static_cast<double>(z[1]))));
  };
  const auto brier = [&](double share) {
    double sum = 0;
    for (size_t n = 0; n < 100; ++n) {
      const double p = sigmoid(member->outputs.Row(n)), q = sigmoid(networks.Row(n));
      const double gap = (1 - share) * q + share * p - problem.val.labels[n];
      sum += gap * gap;
    }
    return sum;
  };
  EXPECT_LE(brier(member->weight), brier(std::max(0.0, member->weight - 0.01)));
  EXPECT_LE(brier(member->weight), brier(std::min(1.0, member->weight + 0.01)));
}

// The penalty alone would leave probabilities that are right but hardly differ: averaged with
// others they would count for nothing.
TEST(LinearMember, IsSureOfItselfAlsoForFewRowsAClass) {
  constexpr size_t kMany = 60, kColumns = 40;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Mat means(kMany, kColumns);
  Problem problem;
  problem.outputs = kMany;
  for (size_t c = 0; c < kMany; ++c)
    for (size_t j = 0; j < kColumns; ++j) means.Row(c)[j] = normal(random);
  for (auto [rows, count] : {std::pair(&problem.train, 3), std::pair(&problem.val, 2)}) {
    rows->x = Mat(count * kMany, kColumns);
    for (size_t n = 0; n < rows->x.rows(); ++n) {
      rows->labels.push_back(static_cast<int32_t>(n % kMany));
      for (size_t j = 0; j < kColumns; ++j)
        rows->x.Row(n)[j] = means.Row(n % kMany)[j] + 0.5f * normal(random);
    }
  }
  const Mat networks(2 * kMany, kMany);  // without information
  const auto member = FitLinearMember(problem, {}, All(2 * kMany), networks);
  ASSERT_TRUE(member);
  EXPECT_GT(member->weight, 0.9);
  Mat own = member->outputs, again = Outputs(member->network, problem.val.x.view());
  Softmax(own.view());
  Softmax(again.view());
  double sure = 0;
  for (size_t n = 0; n < own.rows(); ++n) {
    sure += static_cast<double>(own.Row(n)[n % kMany]) / static_cast<double>(own.rows());
    EXPECT_NEAR(own.Row(n)[n % kMany], again.Row(n)[n % kMany], 1e-4f);
  }
  EXPECT_GT(sure, 0.8);
}

TEST(LinearMember, OfAQuantileHasTheLeastPinballLoss) {
  Problem problem = LinearProblem(0.5, 1);
  problem.objective = FindLoss("pinball").make(0.9);
  const Mat networks = Networks(problem.val, 0.5, 3);  // around the mean, so too low
  const auto member = FitLinearMember(problem, {}, All(100), networks);
  ASSERT_TRUE(member);
  const auto loss = [&](double share) {
    Mat mixed(100, 2);
    for (size_t n = 0; n < 100; ++n)
      for (size_t j = 0; j < 2; ++j)
        mixed(n, j) = static_cast<float>((1 - share) * static_cast<double>(networks(n, j)) +
                                         share * static_cast<double>(member->outputs(n, j)));
    return problem.objective->LossOf(mixed.view(), problem.val.AsGoal());
  };
  for (int k = 0; k <= 95; ++k) EXPECT_LE(loss(member->weight), loss(k / 100.0) + 1e-3) << k;
  size_t below = 0;
  for (size_t n = 0; n < 100; ++n)
    for (size_t j = 0; j < 2; ++j) below += problem.val.targets(n, j) <= member->outputs(n, j);
  EXPECT_NEAR(static_cast<double>(below), 180, 12);
  // Networks that know better are left alone.
  EXPECT_FALSE(FitLinearMember(problem, {}, All(100), Networks(problem.val, 0.01, 3)));
}

}  // namespace
}  // namespace gopnet

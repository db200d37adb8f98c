// Predictions of the networks in an average for rows that they were not trained on.
#include "algorithms/held_out.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nn/ensemble.h"
#include "nn/temperature.h"

namespace gopnet {
namespace {

constexpr size_t kClasses = 3, kNetworks = 8;
constexpr int kFolds = 5;

// The first columns are the logarithms of the probabilities that labels are drawn by; then each
// network has as many columns of noise.
Rows RowsWithNoise(size_t count, double noise, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Rows rows;
  rows.x = Mat(count, kClasses * (1 + kNetworks));
  for (size_t n = 0; n < count; ++n) {
    float* x = rows.x.Row(n);
    for (size_t j = 0; j < rows.x.cols(); ++j)
      x[j] = static_cast<float>((j < kClasses ? 2 : noise) * normal(engine));
    std::vector<double> odds;
    for (size_t j = 0; j < kClasses; ++j) odds.push_back(std::exp(static_cast<double>(x[j])));
    rows.labels.push_back(std::discrete_distribution<int>(odds.begin(), odds.end())(engine));
  }
  return rows;
}

// A network without layers that outputs the truth plus its own noise.
Network NoisyNetwork(size_t index) {
  Network net;
  net.output.w = Mat(kClasses * (1 + kNetworks), kClasses);
  net.output.b = Mat(1, kClasses);
  for (size_t j = 0; j < kClasses; ++j)
    net.output.w.Row(j)[j] = net.output.w.Row((1 + index) * kClasses + j)[j] = 1;
  return net;
}

struct Temperatures {
  double of_few, gain;
  double of_all;  // on rows that no network has seen
};

Temperatures Fit(double noise, size_t count = kNetworks) {
  Problem problem;
  problem.outputs = kClasses;
  problem.train = RowsWithNoise(4000, noise, 1);
  Folds folds;
  folds.count = kFolds;
  for (size_t n = 0; n < problem.train.size(); ++n)
    folds.of_row.push_back(static_cast<uint8_t>(n % kFolds));
  std::vector<int> fold_of;
  std::vector<size_t> networks;
  for (size_t i = 0; i < count; ++i) {
    fold_of.push_back(static_cast<int>(i) % kFolds);
    networks.push_back(i);
  }
  HeldOutOutputs held_out(problem, folds, fold_of);
  Ensemble all;
  all.logits = true;
  for (const size_t i : networks) {
    all.members.push_back({NoisyNetwork(i), 1.0 / static_cast<double>(count)});
    held_out.Measure(i, all.members.back().network);
  }
  const std::vector<double> weights(count, 1.0 / static_cast<double>(count));
  Mat outputs;
  const std::vector<size_t> held = held_out.Average(networks, weights, outputs);
  const double of_few = FitTemperature(outputs, PickRows(problem.train, held));
  const Rows fresh = RowsWithNoise(4000, noise, 2);
  return {of_few, held_out.TemperatureGain(networks, weights, of_few),
          FitTemperature(Outputs(all, fresh.x.view()), fresh)};
}

TEST(HeldOut, TemperatureOfSomeNetworksIsCarriedOnTowardsThatOfAll) {
  const Temperatures t = Fit(0.6);
  const double wanted = std::log(t.of_all / t.of_few), got = std::log(t.gain);
  EXPECT_GT(wanted, 0.1);
  EXPECT_GT(got, wanted / 3) << t.of_few << " " << t.gain << " " << t.of_all;
  EXPECT_LT(got, wanted) << t.of_few << " " << t.gain << " " << t.of_all;
}

TEST(HeldOut, NetworksThatAgreeKeepTheirTemperature) {
  const Temperatures t = Fit(0);
  EXPECT_NEAR(t.gain, 1, 0.001);
  EXPECT_NEAR(t.of_few, t.of_all, 0.1);
}

// With six networks on five folds, one row in five would decide about the rest.
TEST(HeldOut, TooFewRowsHeldOutTwiceTellNothing) { EXPECT_EQ(Fit(0.6, 6).gain, 1); }

// Two good networks and six poor ones, each with its own part of the rows.
std::vector<double> WeightsOf(Task task, size_t rows, const std::vector<double>& errors) {
  Problem problem;
  problem.task = task;
  problem.outputs = 1;
  problem.train.x = Mat(rows, 1);
  Folds folds;
  folds.count = kFolds;
  std::vector<int> fold_of;
  std::vector<size_t> networks;
  for (size_t i = 0; i < kNetworks; ++i) {
    fold_of.push_back(static_cast<int>(i) % kFolds);
    networks.push_back(i);
  }
  return HeldOutOutputs(problem, folds, fold_of).Weights(networks, errors);
}
const std::vector<double> kMostlyPoor = {0.08, 0.07, 0.19, 0.2, 0.17, 0.21, 0.2, 0.21};

TEST(HeldOut, MostlyPoorNetworksOfARegressionAreLeftOut) {
  EXPECT_EQ(WeightsOf(Task::kRegression, 250, kMostlyPoor),
            std::vector<double>({0.5, 0.5, 0, 0, 0, 0, 0, 0}));
}

TEST(HeldOut, AnEasyPartOfTheRowsLeavesNoOthersOut) {
  // networks 0 and 5 share a fold
  EXPECT_EQ(WeightsOf(Task::kRegression, 250, {0.08, 0.2, 0.19, 0.2, 0.17, 0.07, 0.2, 0.21}),
            std::vector<double>(kNetworks, 0.125));
}

TEST(HeldOut, FewRowsLeaveNoNetworkOut) {
  const std::vector<double> alike(kNetworks, 0.125);
  EXPECT_EQ(WeightsOf(Task::kRegression, 245, kMostlyPoor), alike);
  EXPECT_EQ(WeightsOf(Task::kClassification, 495, kMostlyPoor), alike);
}

}  // namespace
}  // namespace gopnet

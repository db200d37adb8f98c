// Canonical row order, and splitting rows into training and held-out parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "data/canonical_order.h"
#include "data/splits.h"

namespace gopnet {
namespace {

using Texts = std::vector<std::string>;

RandomBits Random(uint64_t seed) {
  return [engine = std::mt19937_64(seed)]() mutable { return engine(); };
}

TEST(CanonicalOrder, DoesNotDependOnTheOrderInTheFile) {
  const size_t n = 97;
  Matrix x(n, 3);
  Texts labels;
  for (size_t i = 0; i < n; ++i) {
    x(i, 0) = static_cast<float>(i % 31);  // with duplicate rows
    labels.push_back(i % 2 ? "b" : "a");
  }
  const Dataset data = MakeDataset(x, labels);
  std::vector<size_t> shuffle(n);
  for (size_t i = 0; i < n; ++i) shuffle[i] = i * 13 % n;
  Matrix x2(n, 3);
  Texts labels2;
  for (size_t i = 0; i < n; ++i) {
    std::copy_n(x.Row(shuffle[i]), 3, x2.Row(i));
    labels2.push_back(labels[shuffle[i]]);
  }
  const Dataset data2 = MakeDataset(x2, labels2);
  const auto order = CanonicalOrder(data);
  const auto order2 = CanonicalOrder(data2);
  for (size_t k = 0; k < n; ++k) {
    EXPECT_EQ(x(order[k], 0), x2(order2[k], 0));
    EXPECT_EQ(labels[order[k]], labels2[order2[k]]);
  }
}

TEST(CanonicalOrder, SkipsRowsOfWeightZeroAndIgnoresSignsOfZero) {
  Matrix x(4, 1), y(4, 1);
  for (size_t i = 0; i < 4; ++i) x(i, 0) = y(i, 0) = static_cast<float>(i);
  y(0, 0) = -0.0f;
  Dataset a = MakeDataset(x), b = MakeDataset(y);
  EXPECT_EQ(CanonicalOrder(a), CanonicalOrder(b));
  x(1, 0) = NAN;
  y(1, 0) = -NAN;
  EXPECT_EQ(CanonicalOrder(a), CanonicalOrder(b));
  a.weights = {1, 0, 2, 0};
  auto order = CanonicalOrder(a);
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<size_t>{0, 2}));
}

TEST(CanonicalOrder, ComparesLabelsByTextNotByIndex) {
  Matrix x(40, 1);
  Texts labels(40, "a long label that is no short string");
  for (size_t i = 0; i < 40; ++i) x(i, 0) = static_cast<float>(i / 2);
  for (size_t i = 0; i < 40; i += 2) labels[i] = "another";
  const auto order = CanonicalOrder(MakeDataset(x, labels));
  Dataset more = MakeDataset(x, labels);
  more.classes.insert(more.classes.begin(), "0");  // shifts the indices of the other classes
  for (int32_t& label : more.labels) ++label;
  EXPECT_EQ(CanonicalOrder(more), order);
}

TEST(CanonicalOrder, UnitWeightsChangeNothing) {
  Matrix x(50, 1), targets(50, 1);
  for (size_t i = 0; i < 50; ++i) x(i, 0) = targets(i, 0) = static_cast<float>(i);
  Dataset data = MakeDataset(x, targets);
  const auto order = CanonicalOrder(data);
  data.weights.assign(50, 1.0f);
  EXPECT_EQ(CanonicalOrder(data), order);
}

void ExpectDivides(const Split& split, size_t n) {
  std::vector<size_t> all = split.first;
  all.insert(all.end(), split.second.begin(), split.second.end());
  EXPECT_TRUE(std::ranges::is_sorted(split.first));
  EXPECT_TRUE(std::ranges::is_sorted(split.second));
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), n);
  for (size_t i = 0; i < n; ++i) EXPECT_EQ(all[i], i);
}

TEST(Split, KeepsClassProportionsAndTheTotal) {
  std::vector<int32_t> labels;
  for (int i = 0; i < 7; ++i) labels.push_back(0);
  for (int i = 0; i < 13; ++i) labels.push_back(1);
  for (int i = 0; i < 31; ++i) labels.push_back(2);
  const Split split = StratifiedSplit(labels, 0.2, Random(1));
  ExpectDivides(split, labels.size());
  std::map<int32_t, int> held;
  for (size_t i : split.second) ++held[labels[i]];
  EXPECT_EQ(split.second.size(), 10u);  // round(0.2 * 51); shares 1.4, 2.6, 6.2
  EXPECT_EQ(held, (std::map<int32_t, int>{{0, 1}, {1, 3}, {2, 6}}));
}

TEST(Split, SmallClassesStayInTraining) {
  const Split split = StratifiedSplit({0, 1, 1, 2, 2, 2, 2, 2}, 0.4, Random(2));
  EXPECT_EQ(split.second.size(), 2u);
  for (size_t i : split.second) EXPECT_GE(i, 3u);
}

TEST(Split, NeitherPartIsEmpty) {
  for (size_t n = 2; n < 12; ++n) {
    for (double fraction : {0.001, 0.2, 0.5, 0.999}) {
      for (int32_t classes : {1, 2, 3, 20}) {
        std::vector<int32_t> labels(n);
        for (size_t i = 0; i < n; ++i) labels[i] = static_cast<int32_t>(i) % classes;
        const Split split = StratifiedSplit(labels, fraction, Random(n));
        ExpectDivides(split, n);
        EXPECT_FALSE(split.first.empty());
        EXPECT_FALSE(split.second.empty());
      }
    }
  }
}

TEST(Split, NothingToHoldOut) {
  EXPECT_TRUE(RandomSplit(10, 0, Random(1)).second.empty());
  EXPECT_TRUE(RandomSplit(1, 0.5, Random(1)).second.empty());
  EXPECT_TRUE(RandomSplit(0, 0.5, Random(1)).first.empty());
}

TEST(Split, DependsOnTheRandomBits) {
  const Split split = RandomSplit(100, 0.25, Random(7));
  ExpectDivides(split, 100);
  EXPECT_EQ(split.second.size(), 25u);
  EXPECT_EQ(split.second, RandomSplit(100, 0.25, Random(7)).second);
  EXPECT_NE(split.second, RandomSplit(100, 0.25, Random(8)).second);
}

}  // namespace
}  // namespace gopnet

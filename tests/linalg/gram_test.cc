// Compares Gram matrices on every SIMD target with sums in double, and checks that results are
// bit-identical for any number of threads.
#include "linalg/gram.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/stop_check.h"
#include "gopnet/error.h"
#include "support/dense_reference.h"
#include "support/every_simd.h"

namespace gopnet::testing {
namespace {

class Gram : public EverySimd {};

struct Sample {
  Mat x;
  std::vector<double> mean, scale;
  std::vector<float> weights;
};

Sample MakeSample(size_t rows, size_t cols, unsigned seed) {
  Sample s{UniformMat(rows, cols, seed), {}, {}, {}};
  const Mat extra = UniformMat(cols + rows, 2, seed + 1, 0.25f);
  for (size_t j = 0; j < cols; ++j) {
    s.mean.push_back(static_cast<double>(extra.Row(j)[0]));
    s.scale.push_back(static_cast<double>(extra.Row(j)[1]));
  }
  for (size_t n = 0; n < rows; ++n) s.weights.push_back(extra.Row(cols + n)[0]);
  return s;
}

TEST_P(Gram, AgreesWithTheMatrixForAwkwardSizesWithAndWithoutMeansAndWeights) {
  for (const size_t rows : {1, 3, 128, 300}) {
    for (const size_t cols : {1, 9, 41, 200}) {
      const Sample s = MakeSample(rows, cols, 1), other = MakeSample(rows, 37, 5);
      const Columns all{s.x.view(), s.mean.data(), s.weights.data(), s.scale.data()};
      for (const Columns& a : {all, Columns{s.x.view()}, Columns{s.x.view(), s.mean.data()},
                               Columns{s.x.view(), nullptr, s.weights.data()}}) {
        const Columns b{other.x.view(), other.mean.data(), a.weights};
        const Eigen::MatrixXd left = ToEigen(a), right = ToEigen(b);
        EXPECT_LT(Difference(ToEigen(SelfGram(a, 2)), left.transpose() * left), 1e-13);
        EXPECT_LT(Difference(ToEigen(CrossGram(a, b, 2)), left.transpose() * right), 1e-12);
        EXPECT_LT(Difference(ToEigen(CrossGram(b, a, 2)), right.transpose() * left), 1e-12);
      }
    }
  }
}

TEST_P(Gram, SameBitsForAnyNumberOfThreads) {
  const Sample s = MakeSample(301, 413, 2), q = MakeSample(301, 40, 3);
  const Columns a{s.x.view(), s.mean.data(), s.weights.data()};
  const Columns b{q.x.view(), q.mean.data(), s.weights.data()};
  const Eigen::MatrixXd self = ToEigen(SelfGram(a, 1)), cross = ToEigen(CrossGram(a, b, 1));
  for (const int threads : {2, 5}) {
    EXPECT_EQ(ToEigen(SelfGram(a, threads)), self);
    EXPECT_EQ(ToEigen(CrossGram(a, b, threads)), cross);
  }
}

// Sums run in row order, no matter how the columns are sliced.
TEST_P(Gram, ElementsDoNotDependOnOtherColumns) {
  const Mat x = UniformMat(300, 413, 4);
  const DenseMatrix all = SelfGram({x.view()}, 1);
  const DenseMatrix part = CrossGram({Slice(x, 7, 11)}, {Slice(x, 201, 212)}, 1);
  for (size_t i = 0; i < 11; ++i) {
    for (size_t j = 0; j < 212; ++j) {
      ASSERT_EQ(part(i, j), all(7 + i, 201 + j));
      ASSERT_EQ(part(i, j), all(201 + j, 7 + i));
    }
  }
}

TEST_P(Gram, AcceptsUnpaddedRows) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};  // 2 x 3 without padding
  Eigen::MatrixXd expected(3, 3);
  expected << 17, 22, 27, 22, 29, 36, 27, 36, 45;
  EXPECT_EQ(ToEigen(SelfGram({{values.data(), 2, 3, 3}}, 1)), expected);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Gram, ::testing::ValuesIn(SupportedSimd()),
                         [](const auto& target) { return target.param; });

TEST(ColumnMeans, AreWeighted) {
  const std::vector<float> values{1, 10, 2, 20, 4, 40}, weights{1, 0, 3};
  const ConstView x{values.data(), 3, 2, 2};
  EXPECT_EQ(ColumnMeans(x, weights.data()), (std::vector<double>{13.0 / 4, 130.0 / 4}));
  EXPECT_EQ(ColumnMeans(x, nullptr), (std::vector<double>{7.0 / 3, 70.0 / 3}));
}

TEST(GramSum, StopsWithinAFewRows) {
  const Mat a = UniformMat(4000, 20, 1);
  for (const int threads : {1, 2}) {
    std::atomic<int> asked{0};
    const StopCheck check([&] {
      if (++asked >= 10) throw Stopped("told");
    });
    EXPECT_THROW(SelfGram({a.view()}, threads), Stopped);
    EXPECT_THROW(CrossGram({Slice(a, 0, 5)}, {Slice(a, 5, 10)}, threads), Stopped);
  }
}

}  // namespace
}  // namespace gopnet::testing

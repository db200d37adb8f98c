// Compares ridge regression from Gram matrices with orthogonal decompositions of the full matrix.
#include "linalg/ridge.h"

#include <gtest/gtest.h>

#include "support/dense_reference.h"

namespace gopnet::testing {
namespace {

Eigen::MatrixXd SolveAtOnce(const Columns& a, const Columns& t, double lambda, int threads = 1) {
  return ToEigen(SolveRidge(SelfGram(a, threads), CrossGram(a, t, threads), lambda));
}

TEST(Ridge, MinimisesTheLossForMoreAndForFewerRowsThanColumns) {
  for (const size_t columns : {1, 30, 90}) {  // with 60 rows
    const Mat a = UniformMat(60, columns, 1), t = UniformMat(60, 3, 2);
    for (const double lambda : {1e-3, 0.1, 10.0}) {
      const Eigen::MatrixXd w = SolveAtOnce({a.view()}, {t.view()}, lambda, 2);
      EXPECT_LT(Difference(w, RidgeByRows(ToEigen({a.view()}), ToEigen({t.view()}), lambda)), 1e-9);
    }
  }
}

TEST(Ridge, WithoutLambdaGivesTheMinimumNormSolution) {
  for (const size_t columns : {12, 40}) {  // with 30 rows
    Mat a = UniformMat(30, columns, 3);
    const Mat t = UniformMat(30, 2, 4);
    for (size_t n = 0; n < 30; ++n) a.Row(n)[5] = a.Row(n)[2] + a.Row(n)[3];  // dependent
    const Eigen::MatrixXd w = SolveAtOnce({a.view()}, {t.view()}, 0);
    EXPECT_LT(Difference(w, RidgeByRows(ToEigen({a.view()}), ToEigen({t.view()}), 0)), 1e-8);
  }
}

TEST(Ridge, SameBitsForAnyNumberOfThreads) {
  for (const size_t rows : {100, 300}) {
    const Mat a = UniformMat(rows, 250, 7), t = UniformMat(rows, 10, 8);
    const Eigen::MatrixXd once = SolveAtOnce({a.view()}, {t.view()}, 0.1);
    for (const int threads : {2, 5}) {
      EXPECT_EQ(SolveAtOnce({a.view()}, {t.view()}, 0.1, threads), once);
    }
  }
}

// A row of weight 3 counts as three rows, also in the means. A row of weight 0 does not count.
TEST(Ridge, WeightsEqualReplicatedRows) {
  const Mat x = UniformMat(40, 7, 9), t = UniformMat(40, 2, 10);
  std::vector<float> weights;
  std::vector<size_t> rows;
  for (size_t n = 0; n < 40; ++n) {
    weights.push_back(static_cast<float>(n % 4));
    rows.insert(rows.end(), n % 4, n);
  }
  Mat more_x(rows.size(), 7), more_t(rows.size(), 2);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(x.Row(rows[i]), 7, more_x.Row(i));
    std::copy_n(t.Row(rows[i]), 2, more_t.Row(i));
  }
  const auto solve = [](const Mat& a, const Mat& b, const float* w) {
    const auto a_mean = ColumnMeans(a.view(), w), b_mean = ColumnMeans(b.view(), w);
    return SolveAtOnce({a.view(), a_mean.data(), w}, {b.view(), b_mean.data(), w}, 0.1, 2);
  };
  EXPECT_LT(Difference(solve(x, t, weights.data()), solve(more_x, more_t, nullptr)), 1e-13);
}

// Columns [n, n + k) of a, for the step that grows the solution from n to n + k columns.
GrowingRidge::Border ProposeColumns(const GrowingRidge& ridge, const Columns& a, const Columns& t,
                                    size_t k, int threads = 1) {
  const size_t n = ridge.Solve().rows();
  Columns old = a, q = a;
  old.x.cols = n;
  q.x = {a.x.data + n, a.x.rows, k, a.x.stride};
  if (a.mean) q.mean = a.mean + n;
  return ridge.Propose(CrossGram(old, q, threads), SelfGram(q, threads), CrossGram(q, t, threads));
}

TEST(GrowingRidge, EqualsTheDirectSolutionAtEveryStepAlsoWithMoreColumnsThanRows) {
  const Mat x = UniformMat(70, 130, 11, -0.5f), t = UniformMat(70, 3, 12);
  std::vector<float> weights(70);
  for (size_t n = 0; n < 70; ++n) weights[n] = 0.5f + static_cast<float>(n % 3);
  const auto mean = ColumnMeans(x.view(), weights.data());
  const Columns target{t.view(), nullptr, weights.data()};
  for (const Columns& a : {Columns{x.view()}, Columns{x.view(), mean.data(), weights.data()}}) {
    const Columns b = a.weights ? target : Columns{t.view()};
    for (const double lambda : {1e-3, 0.1, 10.0}) {
      GrowingRidge ridge(lambda, 3);
      for (const size_t k : {1, 7, 16, 40, 1, 30, 35}) {
        const GrowingRidge::Border border = ProposeColumns(ridge, a, b, k);
        const DenseMatrix proposed = ridge.Solve(border);
        ridge.Accept(ProposeColumns(ridge, a, b, k));
        EXPECT_EQ(proposed.rows(), ridge.Solve().rows());
        Columns now = a;
        now.x.cols = proposed.rows();
        const Eigen::MatrixXd once = SolveAtOnce(now, b, lambda);
        EXPECT_LT(Difference(ToEigen(proposed), once), 1e-8) << lambda << " " << proposed.rows();
        EXPECT_LT(Difference(ToEigen(ridge.Solve()), once), 1e-8) << lambda;
      }
    }
  }
}

TEST(GrowingRidge, ADroppedProposalHasNoEffect) {
  const Mat a = UniformMat(50, 30, 13), t = UniformMat(50, 2, 14), wrong = UniformMat(50, 30, 15);
  GrowingRidge ridge(0.1, 2), plain(0.1, 2);
  for (int step = 0; step < 3; ++step) {
    ProposeColumns(ridge, {wrong.view()}, {t.view()}, 10);
    ridge.Accept(ProposeColumns(ridge, {a.view()}, {t.view()}, 10));
    plain.Accept(ProposeColumns(plain, {a.view()}, {t.view()}, 10));
    EXPECT_EQ(ToEigen(ridge.Solve()), ToEigen(plain.Solve()));
  }
}

// Without lambda, columns that repeat others, sum others or are zero get weight zero. The remaining
// weights are as if these columns did not exist.
TEST(GrowingRidge, DependentColumnsGetWeightZero) {
  Mat a = UniformMat(50, 24, 16);
  const Mat t = UniformMat(50, 2, 17);
  for (size_t n = 0; n < 50; ++n) {
    float* row = a.Row(n);
    row[9] = row[1];             // repeats a column of an earlier step
    row[12] = 0;                 // is zero
    row[19] = row[17] * 2;       // depends on a column of its own step
    row[23] = row[3] + row[20];  // depends on columns of both steps
  }
  GrowingRidge ridge(0, 2);
  for (int step = 0; step < 3; ++step) {
    ridge.Accept(ProposeColumns(ridge, {a.view()}, {t.view()}, 8));
  }
  const DenseMatrix w = ridge.Solve();
  const auto used = [&](size_t j) { return w(j, 0) != 0; };
  EXPECT_FALSE(used(9));
  EXPECT_FALSE(used(12));
  EXPECT_NE(used(17), used(19));
  EXPECT_NE(used(20), used(23));
  Mat kept(50, 20);
  Eigen::MatrixXd weights(20, 2);
  for (size_t j = 0, to = 0; j < 24; ++j) {
    if (!used(j)) continue;
    ASSERT_LT(to, 20u);
    for (size_t n = 0; n < 50; ++n) kept.Row(n)[to] = a.Row(n)[j];
    for (size_t c = 0; c < 2; ++c) weights(to, c) = w(j, c);
    ++to;
  }
  const Eigen::MatrixXd once = RidgeByRows(ToEigen({kept.view()}), ToEigen({t.view()}), 0);
  EXPECT_LT(Difference(weights, once), 1e-9);
}

TEST(GrowingRidge, SameBitsForAnyNumberOfThreads) {
  const Mat a = UniformMat(300, 250, 18), t = UniformMat(300, 10, 19);
  Eigen::MatrixXd first;
  for (const int threads : {1, 2, 5}) {
    GrowingRidge ridge(0.1, 10);
    for (int step = 0; step < 2; ++step) {
      ridge.Accept(ProposeColumns(ridge, {a.view()}, {t.view()}, 125, threads));
    }
    if (threads == 1) first = ToEigen(ridge.Solve());
    EXPECT_EQ(ToEigen(ridge.Solve()), first);
  }
}

}  // namespace
}  // namespace gopnet::testing

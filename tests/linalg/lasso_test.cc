#include "linalg/lasso.h"

#include <gtest/gtest.h>

#include "support/dense_reference.h"

namespace gopnet::testing {
namespace {

// Checks the optimality conditions: |A^T (A b - X)| <= l1, and A^T (A b - X) = -l1 sign(b) where b
// is not 0.
void ExpectOptimal(const Eigen::MatrixXd& gram, const Eigen::MatrixXd& rhs, double l1,
                   const Eigen::MatrixXd& b) {
  const Eigen::MatrixXd gradient = gram * b - rhs;
  const double slack = 1e-6 * rhs.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < b.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      ASSERT_LE(std::abs(gradient(i, j)), l1 + slack);
      if (b(i, j) == 0) continue;
      ASSERT_NEAR(gradient(i, j), b(i, j) > 0 ? -l1 : l1, slack);
    }
  }
}

TEST(SparseCode, MeetsTheOptimalityConditions) {
  const Mat a = UniformMat(200, 20, 1), x = UniformMat(200, 33, 2);
  const DenseMatrix gram = SelfGram({a.view()}, 1), rhs = CrossGram({a.view()}, {x.view()}, 1);
  for (const double l1 : {1e-3, 1.0, 5.0}) {
    for (const double rho : {0.0, 100.0}) {
      const Eigen::MatrixXd b = ToEigen(SparseCode(gram, rhs, l1, rho, 2000));
      ExpectOptimal(ToEigen(gram), ToEigen(rhs), l1, b);
      const auto zeros = (b.array() == 0).count();
      EXPECT_GE(zeros, l1 == 5.0 ? b.size() / 4 : 0);
      EXPECT_LT(zeros, b.size());
    }
  }
}

TEST(SparseCode, MeetsTheOptimalityConditionsWithDependentColumns) {
  Mat a = UniformMat(50, 8, 3);
  for (size_t n = 0; n < 50; ++n) a.Row(n)[4] = a.Row(n)[2];
  const Mat x = UniformMat(50, 5, 4);
  const DenseMatrix gram = SelfGram({a.view()}, 1), rhs = CrossGram({a.view()}, {x.view()}, 1);
  ExpectOptimal(ToEigen(gram), ToEigen(rhs), 0.5, ToEigen(SparseCode(gram, rhs, 0.5, 0, 2000)));
}

TEST(SparseCode, WithoutPenaltyIsLeastSquares) {
  const Mat a = UniformMat(60, 6, 5), x = UniformMat(60, 4, 6);
  const DenseMatrix gram = SelfGram({a.view()}, 1), rhs = CrossGram({a.view()}, {x.view()}, 1);
  const Eigen::MatrixXd once = RidgeByRows(ToEigen({a.view()}), ToEigen({x.view()}), 0);
  EXPECT_LT(Difference(ToEigen(SparseCode(gram, rhs, 0, 0, 2000)), once), 1e-6);
}

TEST(SparseCode, IsZeroIfThePenaltyExceedsTheLargestProduct) {
  const Mat a = UniformMat(60, 6, 7), x = UniformMat(60, 4, 8);
  const DenseMatrix gram = SelfGram({a.view()}, 1), rhs = CrossGram({a.view()}, {x.view()}, 1);
  const double largest = ToEigen(rhs).cwiseAbs().maxCoeff();
  EXPECT_TRUE(ToEigen(SparseCode(gram, rhs, 1.01 * largest, 0, 2000)).isZero(0));
  EXPECT_FALSE(ToEigen(SparseCode(gram, rhs, 0.99 * largest, 0, 2000)).isZero(0));
}

}  // namespace
}  // namespace gopnet::testing

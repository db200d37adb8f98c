// Cholesky factors and triangular solutions on every SIMD target, for sizes around the smallest
// block.
#include "linalg/triangular.h"

#include <gtest/gtest.h>

#include "support/dense_reference.h"
#include "support/every_simd.h"

namespace gopnet::testing {
namespace {

DenseMatrix Positive(size_t n) {  // a well-conditioned Gram matrix of random columns
  const Mat x = UniformMat(2 * n + 5, n, static_cast<unsigned>(n));
  return SelfGram({x.view()}, 1);
}

class Triangular : public EverySimd {};

TEST_P(Triangular, FactorAndSolutionsAreCorrectForAnySize) {
  for (const size_t n : {1, 2, 15, 16, 17, 24, 33, 64, 65, 150, 257}) {
    const DenseMatrix k = Positive(n), rhs = FromEigen(ToEigen({UniformMat(n, 11, 3).view()}));
    DenseMatrix r(k), forward(rhs), back(rhs);
    ASSERT_TRUE(Cholesky(r.view(), 0));
    const Eigen::MatrixXd upper = ToEigen(r).triangularView<Eigen::Upper>();
    EXPECT_LT(Difference(upper.transpose() * upper, ToEigen(k)), 1e-14) << n;
    SolveTransposed(r.view(), forward.view());
    SolveUpper(r.view(), back.view());
    EXPECT_LT(Difference(upper.transpose() * ToEigen(forward), ToEigen(rhs)), 1e-13) << n;
    EXPECT_LT(Difference(upper * ToEigen(back), ToEigen(rhs)), 1e-13) << n;
  }
}

TEST_P(Triangular, CholeskyRejectsMatricesThatAreNotPositiveDefinite) {
  for (const size_t bad : {0, 5, 40, 69}) {
    DenseMatrix zero(Positive(70)), negative(Positive(70)), nan(Positive(70));
    for (size_t j = 0; j < 70; ++j) zero(bad, j) = zero(j, bad) = 0;
    negative(bad, bad) = -1;
    nan(bad, bad) = std::nan("");
    EXPECT_FALSE(Cholesky(zero.view(), 0));
    EXPECT_FALSE(Cholesky(negative.view(), 0));
    EXPECT_FALSE(Cholesky(nan.view(), 0));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Triangular, ::testing::ValuesIn(SupportedSimd()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gopnet::testing

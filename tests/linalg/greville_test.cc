#include "linalg/greville.h"

#include <gtest/gtest.h>

#include "support/dense_reference.h"

namespace gopnet::testing {
namespace {

Eigen::MatrixXd PseudoInverse(const Eigen::MatrixXd& a) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::VectorXd inverse = svd.singularValues();
  for (double& s : inverse) s = s > 1e-9 * svd.singularValues()(0) ? 1 / s : 0;
  return svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
}

// With these targets the weights are the pseudo-inverse itself.
Mat Identity(size_t n) {
  Mat one(n, n);
  for (size_t i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

// Adds `steps` blocks of 4 columns of a and compares with the pseudo-inverse by SVD at every step.
void ExpectPseudoInverse(const Mat& a, size_t steps) {
  const Mat t = UniformMat(a.rows(), 2, 99), one = Identity(a.rows());
  GrevillePseudoInverse greville(0, {t.view()}), inverse(0, {one.view()});
  for (size_t step = 1; step <= steps; ++step) {
    for (GrevillePseudoInverse* g : {&greville, &inverse}) g->Add({Slice(a, 4 * step - 4, 4)});
    ASSERT_EQ(greville.weights().rows(), 4 * step);
    const Eigen::MatrixXd pinv = PseudoInverse(ToEigen({Slice(a, 0, 4 * step)}));
    EXPECT_LT(Difference(ToEigen(inverse.weights()), pinv), 1e-12) << step;
    EXPECT_LT(Difference(ToEigen(greville.weights()), pinv * ToEigen({t.view()})), 1e-12) << step;
  }
}

TEST(Greville, IsThePseudoInverseOfIndependentColumns) {
  ExpectPseudoInverse(UniformMat(40, 20, 1), 5);
}

TEST(Greville, IsThePseudoInverseIfAllNewColumnsDependOnOldOnes) {
  Mat a = UniformMat(30, 12, 2);
  for (size_t n = 0; n < 30; ++n) {
    for (size_t j = 0; j < 4; ++j) a.Row(n)[8 + j] = a.Row(n)[j] + a.Row(n)[j + 4];
  }
  ExpectPseudoInverse(a, 3);
}

TEST(Greville, IsThePseudoInverseIfSomeNewColumnsDependOnOthers) {
  Mat a = UniformMat(30, 16, 3);
  for (size_t n = 0; n < 30; ++n) {
    float* row = a.Row(n);
    row[5] = row[1];            // depends on an old column
    row[10] = row[9];           // depends on a new column
    row[13] = row[2] + row[8];  // depends on old columns, next to a zero one
    row[15] = 0;
  }
  ExpectPseudoInverse(a, 4);
}

TEST(Greville, IsThePseudoInverseWithMoreColumnsThanRows) {
  ExpectPseudoInverse(UniformMat(14, 24, 4), 6);  // the fourth step adds only two dimensions
}

// Follows the published recursion, written here with Eigen. Its result is far from that of ridge
// regression.
TEST(Greville, WithLambdaFollowsTheRecursionAndNotRidge) {
  const Mat a = UniformMat(45, 24, 5), t = UniformMat(45, 2, 6);
  const double lambda = 0.1;
  const Mat one = Identity(45);
  GrevillePseudoInverse greville(lambda, {t.view()}), inverse(lambda, {one.view()});
  Eigen::MatrixXd ap(0, 45);
  for (size_t n = 0; n < 24; n += 8) {
    const Eigen::MatrixXd q = ToEigen({Slice(a, n, 8)}), old = ToEigen({Slice(a, 0, n)});
    const Eigen::MatrixXd d = ap * q, c = q - old * d;
    const Eigen::MatrixXd k = c.transpose() * c + lambda * Eigen::MatrixXd::Identity(8, 8);
    const Eigen::MatrixXd bt = k.inverse() * c.transpose();
    Eigen::MatrixXd next(n + 8, 45);
    next << ap - d * bt, bt;
    ap = next;
    for (GrevillePseudoInverse* g : {&greville, &inverse}) g->Add({Slice(a, n, 8)});
    EXPECT_LT(Difference(ToEigen(inverse.weights()), ap), 1e-12);
  }
  const Eigen::MatrixXd ridge = RidgeByRows(ToEigen({a.view()}), ToEigen({t.view()}), lambda);
  EXPECT_GT(Difference(ToEigen(greville.weights()), ridge), 1e-3);
}

TEST(Greville, WithLambdaRepeatedColumnsShareTheirWeight) {
  const Mat a = UniformMat(20, 3, 7), t = UniformMat(20, 2, 8);
  GrevillePseudoInverse greville(1e-13, {t.view()});
  greville.Add({a.view()});
  const Eigen::MatrixXd before = ToEigen(greville.weights());
  greville.Add({a.view()});  // C = 0: (I + D^T D)^-1 halves; with I - D^T D it would blow up
  const Eigen::MatrixXd after = ToEigen(greville.weights());
  EXPECT_LT(Difference(after.topRows(3), before / 2), 1e-9);
  EXPECT_LT(Difference(after.bottomRows(3), before / 2), 1e-9);
}

}  // namespace
}  // namespace gopnet::testing

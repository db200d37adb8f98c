#include "linalg/principal.h"

#include <gtest/gtest.h>

#include <random>

#include "support/dense_reference.h"

namespace gopnet::testing {
namespace {

using Eigen::MatrixXd;

DenseMatrix RandomDoubles(size_t rows, size_t cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  DenseMatrix m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m(i, j) = normal(random);
  }
  return m;
}

Mat Floats(const DenseMatrix& m) {
  Mat out(m.rows(), m.cols(), m.cols());
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) out(i, j) = static_cast<float>(m(i, j));
  }
  return out;
}

// Values that float represents exactly, so that the float and double versions are equal.
DenseMatrix RandomFloats(size_t rows, size_t cols, unsigned seed) {
  return FromEigen(ToEigen(RandomDoubles(rows, cols, seed)).cast<float>().cast<double>());
}

DenseMatrix GramOf(const DenseMatrix& h) { return FromEigen(ToEigen(h).transpose() * ToEigen(h)); }

// beta has rank 3. Three of the 7 axes span its column space, and the features determine the other
// four.
TEST(PrincipalAxes, AreDeterminedByTheFeaturesBeyondTheRankOfBeta) {
  const DenseMatrix beta = RandomDoubles(12, 3, 1);
  for (const size_t rows : {40, 11}) {  // more rows than columns, and fewer
    const DenseMatrix h = RandomFloats(rows, 12, 2), gram = GramOf(h);
    const Mat floats = Floats(h);
    const MatrixXd v = ToEigen(PrincipalAxes(beta, {floats.view()}, gram, 7));
    ASSERT_EQ(v.cols(), 7);
    EXPECT_LT((v.transpose() * v - MatrixXd::Identity(7, 7)).norm(), 1e-12);
    const Eigen::JacobiSVD<MatrixXd> svd(ToEigen(beta), Eigen::ComputeThinU);
    const MatrixXd u = svd.matrixU();
    EXPECT_LT((v.leftCols(3) * v.leftCols(3).transpose() - u * u.transpose()).norm(), 1e-10);
    const MatrixXd outside = MatrixXd::Identity(12, 12) - u * u.transpose();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(outside * ToEigen(gram) * outside);
    const MatrixXd rest = eigen.eigenvectors().rightCols(4);
    EXPECT_LT((v.rightCols(4) * v.rightCols(4).transpose() - rest * rest.transpose()).norm(), 1e-9);
    for (long j = 0; j < 7; ++j) {
      long top = 0;
      v.col(j).cwiseAbs().maxCoeff(&top);
      EXPECT_GT(v(top, j), 0);
    }
  }
}

// Directions without variance get no axis.
TEST(PrincipalAxes, DoNotExceedTheRankOfTheFeatures) {
  const DenseMatrix h = RandomFloats(5, 12, 7);
  const Mat floats = Floats(h);
  EXPECT_EQ(PrincipalAxes({}, {floats.view()}, GramOf(h), 9).cols(), 5u);
}

// With as many axes as columns the projection is a rotation, which does not change the predictions
// of ridge regression.
TEST(PrincipalAxes, AFullSetOfAxesLeavesPredictionsUnchanged) {
  const DenseMatrix h = RandomFloats(30, 8, 3), t = RandomDoubles(30, 2, 4);
  const Mat floats = Floats(h);
  const auto predict = [&](const MatrixXd& features) -> MatrixXd {
    const MatrixXd k = features.transpose() * features + 0.2 * MatrixXd::Identity(8, 8);
    return features * k.ldlt().solve(features.transpose() * ToEigen(t));
  };
  const MatrixXd v = ToEigen(PrincipalAxes(RandomDoubles(8, 2, 5), {floats.view()}, GramOf(h), 8));
  EXPECT_LT((predict(ToEigen(h)) - predict(ToEigen(h) * v)).norm(), 1e-10);
}

TEST(PrincipalAxes, WithoutBetaAreTheAxesOfTheFeatures) {
  const DenseMatrix h = RandomFloats(30, 6, 6), gram = GramOf(h);
  const Mat floats = Floats(h);
  const MatrixXd v = ToEigen(PrincipalAxes({}, {floats.view()}, gram, 2));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(ToEigen(gram));
  const MatrixXd top = eigen.eigenvectors().rightCols(2);
  EXPECT_LT((v * v.transpose() - top * top.transpose()).norm(), 1e-10);
}

}  // namespace
}  // namespace gopnet::testing

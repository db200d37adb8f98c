#include "linalg/principal.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace gopnet {
namespace {

using Eigen::MatrixXd;

DenseMatrix Random(size_t rows, size_t cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  DenseMatrix m(rows, cols);
  for (double& v : m.data) v = normal(random);
  return m;
}

MatrixXd ToEigen(const DenseMatrix& m) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
      m.data.data(), static_cast<long>(m.rows), static_cast<long>(m.cols));
}

Mat Floats(const DenseMatrix& m) {
  Mat out(m.rows, m.cols, m.cols);
  for (size_t i = 0; i < m.data.size(); ++i) out.data()[i] = static_cast<float>(m.data[i]);
  return out;
}

// Exactly representable in float, so that both forms see the same numbers.
DenseMatrix RandomFloats(size_t rows, size_t cols, unsigned seed) {
  DenseMatrix m = Random(rows, cols, seed);
  for (double& v : m.data) v = static_cast<double>(static_cast<float>(v));
  return m;
}

DenseMatrix GramOf(const DenseMatrix& h) {
  const MatrixXd gram = ToEigen(h).transpose() * ToEigen(h);
  DenseMatrix out(h.cols, h.cols);
  for (size_t i = 0; i < h.cols; ++i)
    for (size_t j = 0; j < h.cols; ++j)
      out(i, j) = gram(static_cast<long>(i), static_cast<long>(j));
  return out;
}

// beta has rank 3: of 7 axes three are its own, whatever library computes them, and the others are
// determined by the features.
TEST(PrincipalAxes, AreDeterminedBeyondTheRankOfBeta) {
  const DenseMatrix beta = Random(12, 3, 1);
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

// What does not vary needs no axis.
TEST(PrincipalAxes, AreNoMoreThanTheFeaturesHave) {
  const DenseMatrix h = RandomFloats(5, 12, 7);
  const Mat floats = Floats(h);
  EXPECT_EQ(PrincipalAxes({}, {floats.view()}, GramOf(h), 9).cols, 5u);
}

// As many axes as columns: a rotation, under which ridge regression predicts the same.
TEST(PrincipalAxes, AllOfThemLeavePredictionsUnchanged) {
  const DenseMatrix h = RandomFloats(30, 8, 3), t = Random(30, 2, 4);
  const Mat floats = Floats(h);
  const auto predict = [&](const MatrixXd& features) -> MatrixXd {
    const MatrixXd k = features.transpose() * features + 0.2 * MatrixXd::Identity(8, 8);
    return features * k.ldlt().solve(features.transpose() * ToEigen(t));
  };
  const MatrixXd v = ToEigen(PrincipalAxes(Random(8, 2, 5), {floats.view()}, GramOf(h), 8));
  EXPECT_LT((predict(ToEigen(h)) - predict(ToEigen(h) * v)).norm(), 1e-10);
}

TEST(PrincipalAxes, WithoutBetaTheyAreThoseOfTheFeatures) {
  const DenseMatrix h = RandomFloats(30, 6, 6), gram = GramOf(h);
  const Mat floats = Floats(h);
  const MatrixXd v = ToEigen(PrincipalAxes({}, {floats.view()}, gram, 2));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(ToEigen(gram));
  const MatrixXd top = eigen.eigenvectors().rightCols(2);
  EXPECT_LT((v * v.transpose() - top * top.transpose()).norm(), 1e-10);
}

}  // namespace
}  // namespace gopnet

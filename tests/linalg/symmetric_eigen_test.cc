#include "linalg/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/stop_check.h"
#include "support/dense_reference.h"

namespace gopnet::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Matrix {
  std::string name;
  MatrixXd m;
};

MatrixXd Turned(const VectorXd& values) {
  std::srand(7);
  const auto n = values.size();
  const MatrixXd q = Eigen::HouseholderQR<MatrixXd>(MatrixXd::Random(n, n)).householderQ();
  const MatrixXd m = q * values.asDiagonal() * q.transpose();
  return (m + m.transpose()) / 2;
}

VectorXd Sequence(long n, const std::function<double(long)>& value) {
  VectorXd v(n);
  for (long i = 0; i < n; ++i) v(i) = value(i);
  return v;
}

// A tridiagonal matrix with 2 on the diagonal and 1 or `weak` beside it, with rows and columns
// permuted.
MatrixXd ShuffledChain(long n, double weak) {
  std::mt19937 random(static_cast<unsigned>(n));
  MatrixXd m = 2 * MatrixXd::Identity(n, n);
  for (long i = 1; i < n; ++i) m(i, i - 1) = m(i - 1, i) = random() % 2 == 0 ? 1 : weak;
  Eigen::PermutationMatrix<Eigen::Dynamic> order(n);
  order.setIdentity();
  std::shuffle(order.indices().data(), order.indices().data() + n, random);
  return order * m * order.transpose();
}

std::vector<Matrix> Matrices() {
  std::srand(1);
  std::vector<Matrix> all;
  for (const long n : {1, 2, 3, 7, 8, 9, 16, 17, 40, 101}) {
    const MatrixXd a = MatrixXd::Random(n, n + 5), thin = MatrixXd::Random(n, n / 3 + 1);
    all.push_back({"products " + std::to_string(n), a * a.transpose()});
    all.push_back({"low rank " + std::to_string(n), thin * thin.transpose()});
  }
  all.push_back({"identity", MatrixXd::Identity(50, 50)});
  all.push_back({"zero", MatrixXd::Zero(50, 50)});
  all.push_back({"ones", MatrixXd::Ones(200, 200)});
  all.push_back({"geometric", Turned(Sequence(90, [](long i) { return std::pow(0.65, i); }))});
  all.push_back({"groups of equal values", Turned(Sequence(90, [](long i) { return i / 20; }))});
  all.push_back({"one large", Turned(Sequence(60, [](long i) { return i == 0 ? 1e6 : 1; }))});
  MatrixXd wilkinson = MatrixXd::Zero(41, 41);  // has pairs of nearly equal eigenvalues
  wilkinson.diagonal() = Sequence(41, [](long i) { return std::abs(i - 20); });
  wilkinson.diagonal(1).setOnes();
  wilkinson.diagonal(-1).setOnes();
  all.push_back({"wilkinson", wilkinson});
  MatrixXd twins = MatrixXd::Zero(40, 40);
  twins.block(0, 0, 20, 20) = twins.block(20, 20, 20, 20) = all[16].m.topLeftCorner(20, 20);
  twins = (twins + twins.transpose()).eval();
  all.push_back({"two equal blocks", twins});
  for (const double weak : {0.0, 1e-14, 1e-9}) {  // small blocks that share eigenvalues
    for (int seed = 0; seed < 20; ++seed)
      all.push_back({"chain " + std::to_string(seed), ShuffledChain(40 + seed, weak)});
  }
  all.push_back({"huge", twins * 1e200});
  all.push_back({"tiny", twins * 1e-200});
  return all;
}

// Up to rounding, the values equal Eigen's, the vectors are orthonormal and m v = value v.
TEST(SymmetricEigen, AgreesWithEigenForAwkwardMatrices) {
  for (const auto& [name, m] : Matrices()) {
    const long n = m.rows();
    const EigenPairs pairs = SymmetricEigen(FromEigen(m));
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(m, Eigen::EigenvaluesOnly);
    const double scale = std::max(m.cwiseAbs().maxCoeff(), 1e-300) * static_cast<double>(n);
    const MatrixXd v = ToEigen(pairs.vectors);
    ASSERT_EQ(v.cols(), n) << name;
    const MatrixXd products = v.transpose() * v;
    EXPECT_LT((products - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-12) << name;
    for (long i = 0; i < n; ++i) {
      const double expected = eigen.eigenvalues()(n - 1 - i);
      EXPECT_NEAR(pairs.values[static_cast<size_t>(i)] / scale, std::max(0.0, expected) / scale,
                  1e-14)
          << name << " " << i;
      const VectorXd rest = m / scale * v.col(i) - expected / scale * v.col(i);
      EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-13) << name << " " << i;
    }
  }
}

TEST(LeadingEigen, GivesAllValuesAndTheRequestedVectors) {
  const Mat a = UniformMat(60, 30, 3);
  const DenseMatrix gram = SelfGram({a.view()}, 1);
  const EigenPairs all = SymmetricEigen(gram);
  const EigenPairs some = LeadingEigen(gram, [](const std::vector<double>& values) {
    EXPECT_EQ(values.size(), 30u);
    return size_t{4};
  });
  EXPECT_EQ(some.values, all.values);
  ASSERT_EQ(some.vectors.cols(), 4u);
  for (size_t i = 0; i < 30; ++i) {
    for (size_t j = 0; j < 4; ++j) EXPECT_EQ(some.vectors(i, j), all.vectors(i, j));
  }
  EXPECT_EQ(LeadingEigen(gram, [](const auto&) { return size_t{0}; }).vectors.cols(), 0u);
  EXPECT_TRUE(SymmetricEigen(DenseMatrix()).values.empty());
}

TEST(SymmetricEigen, TerminatesForNan) {
  DenseMatrix m(5, 5);
  for (size_t i = 0; i < 5; ++i) m(i, i) = std::nan("");
  EXPECT_EQ(SymmetricEigen(m).values.size(), 5u);
}

TEST(SymmetricEigen, StopsOnRequest) {
  const StopCheck stop([] { throw std::runtime_error("stop"); });
  EXPECT_THROW(SymmetricEigen(DenseMatrix(9, 9)), std::runtime_error);
}

}  // namespace
}  // namespace gopnet::testing

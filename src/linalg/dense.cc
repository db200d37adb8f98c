#include "linalg/dense.h"

#include <algorithm>
#include <cmath>

#include "linalg/eigen_map.h"

namespace gopnet {

using Index = Eigen::Index;

EigenPairs SymmetricEigen(const DenseMatrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(AsEigen(symmetric));
  const Index n = static_cast<Index>(symmetric.rows());
  EigenPairs pairs;
  for (Index i = n; i-- > 0;) pairs.values.push_back(std::max(0.0, solver.eigenvalues()(i)));
  pairs.vectors = FromEigen(solver.eigenvectors().rowwise().reverse());
  return pairs;
}

DenseMatrix SolveDiscriminant(const DenseMatrix& within, const DenseMatrix& factor, double ridge) {
  Eigen::MatrixXd regular = AsEigen(within);
  const double tiny = 1e-12 * std::max(regular.trace() / static_cast<double>(within.rows()), 1e-30);
  Eigen::LLT<Eigen::MatrixXd> llt;
  double added = std::max(ridge, tiny);
  regular.diagonal().array() += added;
  for (int attempt = 0; attempt < 16; ++attempt) {
    llt.compute(regular);
    if (llt.info() == Eigen::Success) break;
    regular.diagonal().array() += 9 * added;
    added *= 10;
  }
  const Eigen::MatrixXd whitened = llt.matrixL().solve(AsEigen(factor));
  // The left singular vectors by the small side: K^T K = V S^2 V^T, U = K V / S.
  const EigenPairs pairs = SymmetricEigen(FromEigen(whitened.transpose() * whitened));
  std::vector<double> strength;
  for (const double square : pairs.values) {
    const double s = std::sqrt(square);
    if (s <= 1e-7 * std::sqrt(pairs.values[0]) || s <= 0) break;
    strength.push_back(s);
  }
  const auto q = static_cast<Index>(strength.size());
  Eigen::MatrixXd left = whitened * AsEigen(pairs.vectors).leftCols(q);
  for (Index j = 0; j < q; ++j) left.col(j) /= strength[static_cast<size_t>(j)];
  return FromEigen(llt.matrixL().transpose().solve(left));
}

DenseMatrix RowGram(const Columns& a) {
  DenseMatrix out = OuterProduct(Doubles(a));
  Mirror(out);
  return out;
}

DenseMatrix TransposedProduct(const Columns& a, const DenseMatrix& vectors) {
  return FromEigen(AsEigen(Doubles(a)).transpose() * AsEigen(vectors));
}

void FixSigns(DenseMatrix& axes) {
  for (size_t j = 0; j < axes.cols(); ++j) {
    size_t top = 0;
    for (size_t i = 1; i < axes.rows(); ++i) {
      if (std::fabs(axes(i, j)) > std::fabs(axes(top, j))) top = i;
    }
    if (axes(top, j) >= 0) continue;
    for (size_t i = 0; i < axes.rows(); ++i) axes(i, j) = -axes(i, j);
  }
}

void Mirror(DenseMatrix& m) {
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < i; ++j) m(i, j) = m(j, i);
  }
}

DenseMatrix FirstColumns(const DenseMatrix& m, size_t count) {
  return FromEigen(AsEigen(m).leftCols(static_cast<Index>(count)));
}

DenseMatrix OuterProduct(const DenseMatrix& factor) {
  return FromEigen(AsEigen(factor) * AsEigen(factor).transpose());
}

}  // namespace gopnet

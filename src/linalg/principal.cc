#include "linalg/principal.h"

#include <algorithm>
#include <cmath>

#include "base/stop_check.h"
#include "linalg/eigen_map.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

using Index = Eigen::Index;

// How many of the leading eigenvalues to use: those asked for, without those that are 0.
Index Usable(const EigenPairs& pairs, Index wanted) {
  Index count = 0;
  const auto all = static_cast<Index>(pairs.values.size());
  while (count < std::min(wanted, all) &&
         pairs.values[static_cast<size_t>(count)] > 1e-12 * pairs.values[0])
    ++count;
  return count;
}

// By the small side: beta^T beta = V S^2 V^T, U = beta V / S.
Eigen::MatrixXd LeftSingularVectors(const DenseMatrix& beta, size_t size) {
  const auto rows = static_cast<Index>(beta.rows());
  if (beta.cols() == 0) return Eigen::MatrixXd(rows, 0);
  const EigenPairs pairs = SymmetricEigen(FromEigen(AsEigen(beta).transpose() * AsEigen(beta)));
  const Index rank = Usable(pairs, static_cast<Index>(std::min(size, beta.rows())));
  Eigen::MatrixXd u = AsEigen(beta) * AsEigen(pairs.vectors).leftCols(rank);
  for (Index j = 0; j < rank; ++j) u.col(j).normalize();
  return u;
}

// rest V with V the leading eigenvectors of rest^T gram rest.
Eigen::MatrixXd AxesByColumns(const DenseMatrix& gram, const Eigen::MatrixXd& rest, Index wanted) {
  Eigen::MatrixXd inside = rest.transpose() * (AsEigen(gram) * rest);
  inside = (0.5 * (inside + inside.transpose())).eval();
  const EigenPairs pairs = SymmetricEigen(FromEigen(inside));
  return rest * AsEigen(pairs.vectors).leftCols(Usable(pairs, wanted));
}

// The same by the smaller side: B = h rest, B B^T = U D U^T, V = B^T U / sqrt(D).
Eigen::MatrixXd AxesByRows(const Columns& h, const Eigen::MatrixXd& rest, Index wanted) {
  const Eigen::MatrixXd b = AsEigen(Doubles(h)) * rest;
  const EigenPairs pairs = SymmetricEigen(FromEigen(b * b.transpose()));
  Eigen::MatrixXd v =
      rest * (b.transpose() * AsEigen(pairs.vectors).leftCols(Usable(pairs, wanted)));
  for (Index j = 0; j < v.cols(); ++j) v.col(j).normalize();
  return v;
}

}  // namespace

DenseMatrix PrincipalAxes(const DenseMatrix& beta, const Columns& h, const DenseMatrix& gram,
                          size_t size) {
  const auto rows = static_cast<Index>(gram.rows());
  const Eigen::MatrixXd u =
      beta.cols() > 0 ? LeftSingularVectors(beta, size) : Eigen::MatrixXd(rows, 0);
  Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(rows, rows);
  if (u.cols() > 0) {  // Q of [U, anything]: its first columns span U, the others the complement
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(u);
    rest = (qr.householderQ() * rest).rightCols(rows - u.cols());
  }
  const Index wanted = static_cast<Index>(size) - u.cols();
  const Eigen::MatrixXd more =
      h.x.rows < gram.rows() ? AxesByRows(h, rest, wanted) : AxesByColumns(gram, rest, wanted);
  Eigen::MatrixXd axes(rows, u.cols() + more.cols());
  axes.leftCols(u.cols()) = u;
  axes.rightCols(more.cols()) = more;
  DenseMatrix out = FromEigen(axes);
  FixSigns(out);
  return out;
}

DenseMatrix Product(const DenseMatrix& a, const DenseMatrix& b) {
  return FromEigen(AsEigen(a) * AsEigen(b));
}

Mat Product(const Mat& a, const DenseMatrix& b) {
  Mat right(b.rows(), b.cols()), padded(256, b.cols());
  for (size_t i = 0; i < b.rows(); ++i) {
    for (size_t j = 0; j < b.cols(); ++j) right(i, j) = static_cast<float>(b(i, j));
  }
  Mat out(a.rows(), b.cols(), b.cols());
  ForEachChunk(a.rows(), padded.rows(), [&](size_t first, size_t count) {
    const MutView part = padded.view().Rows(0, count);
    MatMul(a.view().Rows(first, count), right.view(), nullptr, part);
    for (size_t n = 0; n < count; ++n) std::copy_n(part.Row(n), b.cols(), out.Row(first + n));
  });
  return out;
}

}  // namespace gopnet

#include "linalg/dense.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/gemm.h"
#include "linalg/symmetric_eigen.h"
#include "linalg/triangular.h"

namespace gopnet {

DenseMatrix SolveDiscriminant(const DenseMatrix& within, const DenseMatrix& factor, double ridge,
                              size_t most) {
  const double tiny = 1e-12 * std::max(Trace(within) / static_cast<double>(within.rows()), 1e-30);
  double added = std::max(ridge, tiny);
  std::optional<DenseMatrix> r = ShiftedCholesky(within, added, 0);
  for (int attempt = 1; attempt < 16 && !r; ++attempt) r = ShiftedCholesky(within, added *= 10, 0);
  if (!r) return DenseMatrix(within.rows(), 0);
  DenseMatrix whitened = factor;
  SolveTransposed(r->view(), whitened.view());
  // The left singular vectors by the small side: K^T K = V S^2 V^T, U = K V / S.
  const auto strong = [&](const std::vector<double>& squares) {
    size_t count = 0;
    while (count < std::min(most, squares.size()) && squares[count] > 0 &&
           squares[count] > 1e-14 * squares[0])
      ++count;
    return count;
  };
  const EigenPairs pairs = LeadingEigen(TransposedTimes(whitened, whitened), strong);
  DenseMatrix axes = Times(whitened, pairs.vectors);
  for (size_t i = 0; i < axes.rows(); ++i) {
    for (size_t j = 0; j < axes.cols(); ++j) axes(i, j) /= std::sqrt(pairs.values[j]);
  }
  SolveUpper(r->view(), axes.view());
  return axes;
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

double Trace(const DenseMatrix& m) {
  double sum = 0;
  for (size_t i = 0; i < m.rows(); ++i) sum += m(i, i);
  return sum;
}

void Mirror(DenseMatrix& m) {
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < i; ++j) m(i, j) = m(j, i);
  }
}

}  // namespace gopnet

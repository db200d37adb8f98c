#include "linalg/ridge.h"

#include <cassert>
#include <utility>

#include "linalg/spectrum.h"
#include "linalg/triangular.h"

namespace gopnet {

RidgePath::RidgePath(DenseMatrix gram, DenseMatrix rhs)
    : gram_(std::move(gram)), rhs_(std::move(rhs)) {
  assert(gram_.rows() == gram_.cols() && gram_.rows() == rhs_.rows());
}

DenseMatrix RidgePath::Solve(double lambda) const {
  DenseMatrix r(gram_), w(rhs_);
  for (size_t i = 0; i < r.rows(); ++i) r(i, i) += lambda;
  if (!Cholesky(r.view(), kSingular * (LargestDiagonal(gram_) + lambda))) {
    return Spectrum(gram_, rhs_).Solve(lambda);
  }
  SolveTransposed(r.view(), w.view());
  SolveUpper(r.view(), w.view());
  return w;
}

}  // namespace gopnet

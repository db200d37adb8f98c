// The pseudo-inverse that grows with the columns, as BLS was published (Greville 1960). With
// lambda > 0 its weights are NOT those of ridge regression: for reproduction only, GrowingRidge is
// exact.
#pragma once

#include <cstddef>

#include "base/mat.h"
#include "linalg/gram.h"

namespace gopnet {

class GrevillePseudoInverse {
 public:
  GrevillePseudoInverse(double lambda, const Columns& targets);  // N x C
  // D = A^+ Q, C = Q - A D, A^+ <- [A^+ - D B^T; B^T] with B^T = C^+ = (C^T C + lambda I)^-1 C^T.
  // lambda = 0: also exact where C has dependent columns (Cline 1964), as it has if C = 0.
  void Add(const Columns& columns);  // Q, N x k

  const DenseMatrix& weights() const { return weights_; }  // A^+ T, n x C

 private:
  DenseMatrix NewRows(const DenseMatrix& q, const DenseMatrix& d, DenseMatrix c) const;  // B^T

  double lambda_;
  DenseMatrix targets_;  // T
  DenseMatrix columns_;  // A^T, n x N
  DenseMatrix inverse_;  // A^+, n x N
  DenseMatrix weights_;  // n x C
};

}  // namespace gopnet

// The pseudo-inverse that grows with the columns, as BLS was published (Greville 1960). With
// lambda > 0 its weights are NOT those of ridge regression: for reproduction only, GrowingRidge is
// exact.
#pragma once

#include <cstddef>

#include "linalg/dense.h"
#include "linalg/gram.h"
#include "linalg/padded.h"

namespace gopnet {

class GrevillePseudoInverse {
 public:
  GrevillePseudoInverse(double lambda, const Columns& targets);  // N x C
  // D = A^+ Q, C = Q - A D, A^+ <- [A^+ - D B^T; B^T] with B^T = C^+ = (C^T C + lambda I)^-1 C^T.
  // lambda = 0: also exact where C has dependent columns (Cline 1964), as it has if C = 0.
  void Add(const Columns& columns);  // Q, N x k

  DenseMatrix pseudo_inverse() const { return inverse_.Dense(); }  // A^+, n x N
  DenseMatrix weights() const { return weights_.Dense(); }         // A^+ T, n x C
  size_t columns() const { return inverse_.rows(); }

 private:
  PaddedMatrix NewRows(const PaddedMatrix& q, const PaddedMatrix& d, PaddedMatrix c) const;  // B^T

  double lambda_;
  PaddedMatrix targets_;  // T
  PaddedMatrix columns_;  // A^T, n x N
  PaddedMatrix inverse_;  // A^+, n x N
  PaddedMatrix weights_;  // n x C
};

}  // namespace gopnet

// Sparse codes: the refinement of the feature nodes of BLS.
#pragma once

#include "base/mat.h"

namespace gopnet {

// argmin_b 1/2 ||A b - X||_F^2 + l1 ||b||_1 from gram = A^T A (k x k) and rhs = A^T X (k x D), by
// ADMM with penalty rho (0: the geometric mean of the eigenvalues of gram), at most `iterations`
// steps. Returns the copy of b that is exactly sparse.
DenseMatrix SparseCode(const DenseMatrix& gram, const DenseMatrix& rhs, double l1, double rho,
                       int iterations);

}  // namespace gopnet

// Least squares with a bounded norm, the output layer of PLN: min ||T - Y O||_F^2 subject to
// ||O||_F^2 <= bound, from gram = Y^T Y (n x n) and rhs = Y^T T (n x Q).
#pragma once

#include "base/mat.h"

namespace gopnet {

// Exact: O = (gram + t I)^-1 rhs with t = 0 if that is short enough, else with the t at which
// phi(t) = ||O||^2 equals the bound. By Newton's method on phi^(-1/2) with a Cholesky
// factorisation a step (More and Sorensen, 1983), a few of them: at n = 1000 they take less than
// a tenth of one eigendecomposition, which is left to singular matrices.
DenseMatrix SolveBounded(const DenseMatrix& gram, const DenseMatrix& rhs, double bound);

// ADMM as published, with penalty 1/mu. Its O may break the bound (public code returns it all the
// same); where ||O||^2 > bound (1 + 1e-6), the projection onto the bound is returned instead.
DenseMatrix SolveBoundedAdmm(const DenseMatrix& gram, const DenseMatrix& rhs, double bound,
                             double mu, int iterations);

}  // namespace gopnet

// Operations on matrices of doubles for memories and solvers.
#pragma once

#include "base/mat.h"

namespace gopnet {

// The axes that maximise variance between classes (factor factor^T) over that within, D x q,
// strongest first and orthonormal with respect to `within`: P = R^-1 U with within = R^T R
// (Cholesky) and the thin SVD R^-T factor = U S V^T, as far as S > 1e-7 of the first, and at most
// `most`. Adds `ridge` to the diagonal, ten times more whenever the factorisation fails.
DenseMatrix SolveDiscriminant(const DenseMatrix& within, const DenseMatrix& factor, double ridge,
                              size_t most);

// Flips each column so that its entry of largest magnitude is positive: the sign of an eigenvector
// is arbitrary.
void FixSigns(DenseMatrix& axes);
double Trace(const DenseMatrix& m);
// The upper triangle copied to the lower: symmetric to the last bit.
void Mirror(DenseMatrix& m);

}  // namespace gopnet

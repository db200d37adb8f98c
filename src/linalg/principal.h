// Principal axes of a matrix of low rank, completed; and rows times them.
#pragma once

#include "base/mat.h"
#include "linalg/gram.h"

namespace gopnet {

// Orthonormal axes, L x at most `size`: the left singular vectors of beta (L x C, may be empty),
// strongest first, then those in which the columns h (N x L) vary most outside them, as far as they
// vary at all. (beta alone determines only C of them, and what a library returns for the rest is
// arbitrary.) Each axis has its entry of largest magnitude positive. gram = h^T h.
DenseMatrix PrincipalAxes(const DenseMatrix& beta, const Columns& h, const DenseMatrix& gram,
                          size_t size);

Mat Product(const Mat& a, const DenseMatrix& b);  // rows without padding

}  // namespace gopnet

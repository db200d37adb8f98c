// Principal axes of a matrix of low rank, completed; and products with them.
#pragma once

#include "base/mat.h"
#include "linalg/dense.h"

namespace gopnet {

// Orthonormal axes L x size: the left singular vectors of beta (L x C, may be empty), strongest
// first, then the leading eigenvectors of gram (L x L) on what they leave. beta alone determines
// no more than C of them; whatever a library would return for the others is arbitrary. Each axis
// has its entry of largest magnitude positive.
DenseMatrix PrincipalAxes(const DenseMatrix& beta, const DenseMatrix& gram, size_t size);

DenseMatrix Product(const DenseMatrix& a, const DenseMatrix& b);
Mat Product(const Mat& a, const DenseMatrix& b);  // rows without padding

}  // namespace gopnet

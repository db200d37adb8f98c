// Decompositions in double: with eigen_map.h, the only home of Eigen. Results are the same for any
// number of threads, since none is used.
#pragma once

#include <cstddef>
#include <vector>

#include "base/mat.h"
#include "linalg/gram.h"

namespace gopnet {

struct EigenPairs {
  std::vector<double> values;  // descending, negatives clipped to 0
  DenseMatrix vectors;         // one per column, unit norm
};
EigenPairs SymmetricEigen(const DenseMatrix& symmetric);

// The axes that maximise variance between classes (factor factor^T) over that within, D x q,
// strongest first and orthonormal with respect to `within`: P = L^-T U with within = L L^T
// (Cholesky) and the thin SVD L^-1 factor = U S V^T, as far as S > 1e-7 of the first. Adds `ridge`
// to the diagonal, ten times more whenever the factorisation fails.
DenseMatrix SolveDiscriminant(const DenseMatrix& within, const DenseMatrix& factor, double ridge);

// a a^T: the products of rows.
DenseMatrix RowGram(const Columns& a);
// a^T vectors
DenseMatrix TransposedProduct(const Columns& a, const DenseMatrix& vectors);
// Flips each column so that its entry of largest magnitude is positive: the sign of an eigenvector
// is arbitrary.
void FixSigns(DenseMatrix& axes);
// The upper triangle copied to the lower: symmetric to the last bit.
void Mirror(DenseMatrix& m);
DenseMatrix FirstColumns(const DenseMatrix& m, size_t count);
// factor factor^T
DenseMatrix OuterProduct(const DenseMatrix& factor);

}  // namespace gopnet

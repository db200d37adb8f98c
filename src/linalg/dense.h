// Decompositions in double, behind plain arrays: the only home of Eigen. Results are the same for
// any number of threads, since none is used.
#pragma once

#include <cstddef>
#include <vector>

#include "base/mat.h"

namespace gopnet {

// Row-major doubles.
struct DenseMatrix {
  size_t rows = 0;
  size_t cols = 0;
  std::vector<double> data;

  DenseMatrix() = default;
  DenseMatrix(size_t r, size_t c) : rows(r), cols(c), data(r * c) {}
  double& operator()(size_t i, size_t j) { return data[i * cols + j]; }
  double operator()(size_t i, size_t j) const { return data[i * cols + j]; }
};

struct EigenPairs {
  std::vector<double> values;  // descending, negatives clipped to 0
  DenseMatrix vectors;         // one a column, unit norm
};
EigenPairs SymmetricEigen(const DenseMatrix& symmetric);

struct DiscriminantAxes {
  DenseMatrix axes;              // D x q, orthonormal with respect to `within`
  std::vector<double> strength;  // descending, > 1e-7 of the first
};
// P = L^-T U with within = L L^T and thin SVD L^-1 factor = U S V^T (ALGORITHMS: LDA by Cholesky).
// Adds `ridge` to the diagonal, ten times more whenever the Cholesky factorisation fails.
DiscriminantAxes SolveDiscriminant(const DenseMatrix& within, const DenseMatrix& factor,
                                   double ridge);

// sum_n w_n (x_n - mean)/scale ((x_n - mean)/scale)^T, D x D. weights may be null.
DenseMatrix ColumnGram(ConstView x, const std::vector<double>& mean,
                       const std::vector<double>& scale, const float* weights);
// The N x N products of rows sqrt(w_n) (x_n - mean)/scale.
DenseMatrix RowGram(ConstView x, const std::vector<double>& mean, const std::vector<double>& scale,
                    const float* weights);

// X~^T vectors, D x vectors.cols, with the rows of X~ as in RowGram.
DenseMatrix TransposedProduct(ConstView x, const std::vector<double>& mean,
                              const std::vector<double>& scale, const float* weights,
                              const DenseMatrix& vectors);
// The upper triangle copied to the lower: symmetric to the last bit.
void Mirror(DenseMatrix& m);
// factor factor^T
DenseMatrix OuterProduct(const DenseMatrix& factor);

}  // namespace gopnet

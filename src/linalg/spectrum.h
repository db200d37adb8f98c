// (gram + shift I)^-1 rhs for any shift from one eigendecomposition: for singular matrices, since a
// Cholesky factorisation costs a fiftieth of it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/mat.h"

namespace gopnet {

// Eigenvalues and squared pivots up to this part of the largest count as 0.
inline constexpr double kSingular = 1e-12;

double LargestDiagonal(const DenseMatrix& m);

class Spectrum {
 public:
  // gram n x n, positive semidefinite, n >= 1; rhs n x C, in the range of gram.
  Spectrum(const DenseMatrix& gram, const DenseMatrix& rhs);
  // The solution of minimum norm if gram is singular and shift = 0.
  DenseMatrix Solve(double shift) const;
  // sum_j ||b_j||^2 / (d_j + shift)^power, with b = V^T rhs: the squared norm of the solution for
  // power 2, minus half its slope in the shift for power 3.
  double Sum(double shift, unsigned power) const;

 private:
  double Inverse(size_t j, double shift) const;  // 1 / (d_j + shift), 0 if that is singular

  std::vector<double> values_;  // d, descending
  DenseMatrix vectors_;         // V, n x n
  DenseMatrix rhs_;             // b, n x C
};

}  // namespace gopnet

// Ridge regression in double: for several lambda, and for columns that grow block by block (the
// networks of randomised blocks, BLS).
#pragma once

#include <cstddef>
#include <vector>

#include "base/mat.h"

namespace gopnet {

// W of (gram + lambda I) W = rhs, gram n x n, rhs n x C. By a Cholesky factorisation, which also
// for several lambda costs far less than the eigendecomposition they could share: that one serves
// only a singular matrix, and gives the solution of minimum norm (eigenvalues up to 1e-12 of the
// largest are 0).
DenseMatrix SolveRidge(const DenseMatrix& gram, const DenseMatrix& rhs, double lambda);

// K W = A^T T, K = A^T A + lambda I, while columns are added to A. Keeps R, R^T R = K, and
// U = R^-T A^T T, so that k new columns cost n^2 k. A column that depends on those before it to
// 1e-10 of the largest diagonal entry of K (Schur complement, pivoted) gets weight 0.
class GrowingRidge {
 public:
  GrowingRidge(double lambda, size_t outputs);

  // New columns Q beside those accepted: [[R, E], [0, R_S]] and the rows below U. A value, to be
  // accepted or dropped.
  struct Border {
    std::vector<size_t> kept;  // the columns of Q that depend on no others, by pivot
    size_t columns = 0;        // k, of Q
    double largest = 0;        // diagonal entry of K so far
    DenseMatrix side;          // E, kept in R x kept
    DenseMatrix corner;        // R_S, kept x kept
    DenseMatrix rows;          // of U, kept x C
  };
  // cross = A^T Q (n x k), self = Q^T Q (k x k), rhs = Q^T T (k x C).
  Border Propose(const DenseMatrix& cross, const DenseMatrix& self, const DenseMatrix& rhs) const;
  DenseMatrix Solve(const Border& border) const;  // (n + k) x C, as if accepted
  void Accept(Border border);
  DenseMatrix Solve() const;  // n x C

 private:
  void Reserve(size_t size);
  View<const double> Factor() const;  // R

  double lambda_;
  size_t outputs_;            // C
  size_t columns_ = 0;        // n
  double largest_ = 0;        // diagonal entry of K
  std::vector<size_t> kept_;  // column of A behind each column of R
  DenseMatrix r_;             // upper triangle of a square that doubles when it is full
  DenseMatrix u_;             // as many rows
};

}  // namespace gopnet

#include "linalg/lasso.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "linalg/padded.h"
#include "linalg/ridge.h"

namespace gopnet {
namespace {

constexpr double kConverged = 1e-8;  // residuals, of the norm of rhs

// Their geometric mean. The arithmetic one is that of the direction in which sigmoids agree, a
// thousand times the others, for which 500 iterations would then be far too few.
double MeanEigenvalue(const DenseMatrix& gram) {
  const std::vector<double> values = SymmetricEigen(gram).values;
  if (values[0] <= 0) return 1;
  double logs = 0;
  for (const double value : values) logs += std::log(std::max(value, 1e-10 * values[0]));
  return std::exp(logs / static_cast<double>(values.size()));
}

DenseMatrix Identity(size_t n) {
  DenseMatrix m(n, n);
  for (size_t i = 0; i < n; ++i) m(i, i) = 1;
  return m;
}

struct Residuals {
  double primal = 0, dual = 0;  // squared norms of w - o and of the step of o
};

// o <- soft(w + u, threshold), u <- u + w - o; padding stays 0.
Residuals Threshold(const PaddedMatrix& w, double threshold, PaddedMatrix& o, PaddedMatrix& u) {
  Residuals sum;
  for (size_t i = 0; i < w.rows(); ++i) {
    const double* w_row = w.Row(i);
    double *o_row = o.Row(i), *u_row = u.Row(i);
    for (size_t j = 0; j < w.cols(); ++j) {
      const double v = w_row[j] + u_row[j];
      u_row[j] = std::clamp(v, -threshold, threshold);
      const double next = v - u_row[j], step = next - o_row[j], gap = w_row[j] - next;
      o_row[j] = next;
      sum.primal += gap * gap;
      sum.dual += step * step;
    }
  }
  return sum;
}

}  // namespace

DenseMatrix SparseCode(const DenseMatrix& gram, const DenseMatrix& rhs, double l1, double rho,
                       int iterations) {
  assert(gram.rows == gram.cols && gram.rows == rhs.rows && l1 >= 0 && rho >= 0);
  if (rho == 0) rho = MeanEigenvalue(gram);
  const PaddedMatrix right(rhs);
  const PaddedMatrix inverse(RidgePath(gram, Identity(gram.rows)).Solve(rho));
  const double limit = kConverged * std::sqrt(SquaredNorm(right)) / rho;
  PaddedMatrix o(rhs.rows, rhs.cols), u(rhs.rows, rhs.cols), v(rhs.rows, rhs.cols);
  const size_t size = rhs.rows * right.view().stride;
  for (int i = 0; i < iterations; ++i) {
    for (size_t j = 0; j < size; ++j) {
      v.Row(0)[j] = right.Row(0)[j] + rho * (o.Row(0)[j] - u.Row(0)[j]);
    }
    const Residuals squares = Threshold(Times(inverse, v), l1 / rho, o, u);
    if (std::max(squares.primal, squares.dual) <= limit * limit) break;
  }
  return o.Dense();
}

}  // namespace gopnet

#include "linalg/lasso.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/real_math.h"
#include "linalg/gemm.h"
#include "linalg/ridge.h"
#include "linalg/symmetric_eigen.h"

namespace gopnet {
namespace {

constexpr double kConverged = 1e-8;  // norm of the residuals, relative to that of rhs

// The geometric mean of the eigenvalues. Sigmoids are all positive, so one eigenvalue (of their
// common direction) is a thousand times the others; it would dominate the arithmetic mean, with
// which 500 iterations are far too few for the other directions.
double MeanEigenvalue(const DenseMatrix& gram) {
  const std::vector<double> values =
      LeadingEigen(gram, [](const auto&) { return size_t{0}; }).values;
  if (values[0] <= 0) return 1;
  double logs = 0;
  for (const double value : values) logs += real::Log(std::max(value, 1e-10 * values[0]));
  return real::Exp(logs / static_cast<double>(values.size()));
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
Residuals Threshold(const DenseMatrix& w, double threshold, DenseMatrix& o, DenseMatrix& u) {
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
  assert(gram.rows() == gram.cols() && gram.rows() == rhs.rows() && l1 >= 0 && rho >= 0);
  if (rho == 0) rho = MeanEigenvalue(gram);
  const DenseMatrix inverse = SolveRidge(gram, Identity(gram.rows()), rho);
  const double limit = kConverged * std::sqrt(SquaredNorm(rhs)) / rho;
  DenseMatrix o(rhs.rows(), rhs.cols()), u = o, v = o;
  const size_t size = rhs.rows() * rhs.stride();
  for (int i = 0; i < iterations; ++i) {
    for (size_t j = 0; j < size; ++j) {
      v.data()[j] = rhs.data()[j] + rho * (o.data()[j] - u.data()[j]);
    }
    const Residuals squares = Threshold(Times(inverse, v), l1 / rho, o, u);
    if (std::max(squares.primal, squares.dual) <= limit * limit) break;
  }
  return o;
}

}  // namespace gopnet

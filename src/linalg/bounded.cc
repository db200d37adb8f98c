#include "linalg/bounded.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "linalg/gemm.h"
#include "linalg/spectrum.h"
#include "linalg/triangular.h"

namespace gopnet {
namespace {

constexpr int kSteps = 100;           // Newton needs about 6; never reached
constexpr double kTolerance = 1e-12;  // of phi(t) / bound

// O(t) with phi = ||O||^2 and -phi'/2 = ||R^-T O||^2, R^T R = gram + t I.
struct Shifted {
  DenseMatrix o;
  double norm = 0;
  double slope = 0;
};

std::optional<Shifted> SolveShifted(const DenseMatrix& gram, const DenseMatrix& rhs, double t) {
  DenseMatrix r(gram);
  for (size_t i = 0; i < r.rows(); ++i) r(i, i) += t;
  if (!Cholesky(r.view(), kSingular * (LargestDiagonal(gram) + t))) return std::nullopt;
  Shifted at;
  at.o = rhs;
  SolveTransposed(r.view(), at.o.view());
  SolveUpper(r.view(), at.o.view());
  DenseMatrix q = at.o;
  SolveTransposed(r.view(), q.view());
  at.norm = SquaredNorm(at.o);
  at.slope = SquaredNorm(q);
  return at;
}

// Newton on phi^(-1/2), which is concave: from the left of the root all steps stay there.
double Step(double norm, double slope, double bound) {
  return norm / slope * (std::sqrt(norm / bound) - 1);
}

bool Meets(double norm, double bound) { return std::abs(norm / bound - 1) <= kTolerance; }

DenseMatrix SolveSingular(const DenseMatrix& gram, const DenseMatrix& rhs, double bound) {
  const Spectrum spectrum(gram, rhs);
  double t = 0;
  double norm = spectrum.Sum(0, 2);
  if (norm <= bound) return spectrum.Solve(0);
  for (int i = 0; i < kSteps && !Meets(norm, bound); ++i) {
    t = std::max(0.0, t + Step(norm, spectrum.Sum(t, 3), bound));
    norm = spectrum.Sum(t, 2);
  }
  return spectrum.Solve(t);
}

}  // namespace

BoundedLeastSquares::BoundedLeastSquares(DenseMatrix gram, DenseMatrix rhs)
    : gram_(std::move(gram)), rhs_(std::move(rhs)) {
  assert(gram_.rows() == gram_.cols() && gram_.rows() == rhs_.rows());
}

DenseMatrix BoundedLeastSquares::Solve(double bound) const {
  if (!(bound > 0)) return {rhs_.rows(), rhs_.cols()};
  double t = 0;
  std::optional<Shifted> at = SolveShifted(gram_, rhs_, 0);
  if (at && at->norm <= bound) return at->o;
  if (!at) {  // singular: start a little to the right, unless the root is left of that
    t = 100 * kSingular * LargestDiagonal(gram_);
    at = SolveShifted(gram_, rhs_, t);
    if (!at || at->norm <= bound) return SolveSingular(gram_, rhs_, bound);
  }
  for (int i = 0; i < kSteps && !Meets(at->norm, bound); ++i) {
    t += Step(at->norm, at->slope, bound);
    at = SolveShifted(gram_, rhs_, t);
    if (!at) return SolveSingular(gram_, rhs_, bound);
  }
  return at->o;
}

DenseMatrix SolveBoundedAdmm(const DenseMatrix& gram, const DenseMatrix& rhs, double bound,
                             double mu, int iterations) {
  DenseMatrix r(gram);
  for (size_t i = 0; i < r.rows(); ++i) r(i, i) += 1 / mu;
  // Singular all the same: 1/mu is too small beside gram to change a double.
  if (!Cholesky(r.view(), 0)) return BoundedLeastSquares(gram, rhs).Solve(bound);
  const size_t size = rhs.rows() * rhs.stride();  // padding stays 0
  DenseMatrix o(rhs), z(rhs.rows(), rhs.cols()), dual(rhs.rows(), rhs.cols());
  for (int i = 0; i < iterations; ++i) {
    for (size_t j = 0; j < size; ++j) {
      o.data()[j] = rhs.data()[j] + (z.data()[j] + dual.data()[j]) / mu;
    }
    SolveTransposed(r.view(), o.view());
    SolveUpper(r.view(), o.view());
    for (size_t j = 0; j < size; ++j) z.data()[j] = o.data()[j] - dual.data()[j];
    const double shrink = std::min(1.0, std::sqrt(bound / SquaredNorm(z)));
    for (size_t j = 0; j < size; ++j) {
      z.data()[j] *= shrink;
      dual.data()[j] += z.data()[j] - o.data()[j];
    }
  }
  return SquaredNorm(o) > bound * (1 + 1e-6) ? z : o;
}

}  // namespace gopnet

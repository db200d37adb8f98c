#include "linalg/bounded.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

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
  const auto r = ShiftedCholesky(gram, t, kSingular * (LargestDiagonal(gram) + t));
  if (!r) return std::nullopt;
  Shifted at;
  at.o = rhs;
  SolveFactored(r->view(), at.o.view());
  DenseMatrix q = at.o;
  SolveTransposed(r->view(), q.view());
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

DenseMatrix SolveBounded(const DenseMatrix& gram, const DenseMatrix& rhs, double bound) {
  assert(gram.rows() == gram.cols() && gram.rows() == rhs.rows());
  if (!(bound > 0)) return {rhs.rows(), rhs.cols()};
  double t = 0;
  std::optional<Shifted> at = SolveShifted(gram, rhs, 0);
  if (at && at->norm <= bound) return at->o;
  if (!at) {  // singular: start a little to the right, unless the root is left of that
    t = 100 * kSingular * LargestDiagonal(gram);
    at = SolveShifted(gram, rhs, t);
    if (!at || at->norm <= bound) {
      at.reset();  // the eigenvectors need the room
      return SolveSingular(gram, rhs, bound);
    }
  }
  for (int i = 0; i < kSteps && !Meets(at->norm, bound); ++i) {
    t += Step(at->norm, at->slope, bound);
    at.reset();  // the next needs the room
    at = SolveShifted(gram, rhs, t);
    if (!at) return SolveSingular(gram, rhs, bound);
  }
  return at->o;
}

DenseMatrix SolveBoundedAdmm(const DenseMatrix& gram, const DenseMatrix& rhs, double bound,
                             double mu, int iterations) {
  const auto r = ShiftedCholesky(gram, 1 / mu, 0);
  // Singular all the same: 1/mu is too small beside gram to change a double.
  if (!r) return SolveBounded(gram, rhs, bound);
  const size_t size = rhs.rows() * rhs.stride();  // padding stays 0
  DenseMatrix o(rhs), z(rhs.rows(), rhs.cols()), dual(rhs.rows(), rhs.cols());
  for (int i = 0; i < iterations; ++i) {
    for (size_t j = 0; j < size; ++j) {
      o.data()[j] = rhs.data()[j] + (z.data()[j] + dual.data()[j]) / mu;
    }
    SolveFactored(r->view(), o.view());
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

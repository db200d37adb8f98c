#include "linalg/tridiagonal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/tridiagonal.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "linalg/fold-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<double>;
constexpr size_t kLanes = hn::MaxLanes(D());

// sums += a b for the numbers from j on, one for each of the first `parts` registers.
template <class Sums>
HWY_INLINE void AddProducts(const double* a, const double* b, size_t j, size_t parts, Sums& sums) {
  const D d;
  for (size_t p = 0; p < parts; ++p, j += kLanes)
    sums.part[p] = hn::MulAdd(hn::Load(d, a + j), hn::Load(d, b + j), sums.part[p]);
}

double DotOf(const double* a, const double* b, size_t size) {
  using Sums = RowSums<double, 2 * kDoublePad>;
  Sums sums(0);
  size_t j = 0;
  for (; j + kDoublePad < size; j += 2 * kDoublePad) AddProducts(a, b, j, Sums::kParts, sums);
  if (j < size) AddProducts(a, b, j, Sums::kParts / 2, sums);
  return sums.Fold<Plus>();
}

void AddMultipleTo(double factor, const double* from, size_t size, double* to) {
  const D d;
  const auto f = hn::Set(d, factor);
  for (size_t j = 0; j < size; j += hn::Lanes(d))
    hn::Store(hn::MulAdd(f, hn::Load(d, from + j), hn::Load(d, to + j)), d, to + j);
}

// Subtracts v w^T + w v^T, which the step before left to do, from the rows after k, and returns
// their product with u in p, in one pass. Only what stands right of the diagonal counts, but for
// the squares of kDoublePad on the diagonal, which are whole, so that registers are.
void UpdateAndMultiply(View<double> a, size_t k, const double* v, const double* w, const double* u,
                       double* p) {
  const D d;
  using Sums = RowSums<double, kDoublePad>;
  const size_t end = RoundUp(a.cols, kDoublePad);
  for (size_t i = k + 1; i < a.rows; ++i) {
    double* row = a.Row(i);
    const auto vi = hn::Set(d, v[i]), wi = hn::Set(d, w[i]), ui = hn::Set(d, u[i]);
    const auto updated = [&](size_t j) HWY_ATTR {
      auto x = hn::NegMulAdd(vi, hn::Load(d, w + j), hn::Load(d, row + j));
      x = hn::NegMulAdd(wi, hn::Load(d, v + j), x);
      hn::Store(x, d, row + j);
      hn::Store(hn::MulAdd(ui, x, hn::Load(d, p + j)), d, p + j);
      return x;
    };
    size_t j = i / kDoublePad * kDoublePad;
    for (const size_t square = j + kDoublePad; j < square; j += kLanes) updated(j);
    Sums sums(0);
    while (j < end) {
      for (size_t part = 0; part < Sums::kParts; ++part, j += kLanes)
        sums.part[part] = hn::MulAdd(updated(j), hn::Load(d, u + j), sums.part[part]);
    }
    p[i] += sums.Fold<Plus>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>

#include "base/stop_check.h"

namespace gopnet {
HWY_EXPORT(DotOf);
HWY_EXPORT(AddMultipleTo);
HWY_EXPORT(UpdateAndMultiply);

double Dot(const double* a, const double* b, size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotOf)(a, b, size);
}

void AddMultiple(double factor, const double* from, size_t size, double* to) {
  HWY_DYNAMIC_DISPATCH(AddMultipleTo)(factor, from, size, to);
}

namespace {

// v and tau of I - tau v v^T, which turns x into (beta, 0, ...); v, with v_0 = 1, replaces x.
double Reflector(double* x, size_t size, double& beta) {
  beta = x[0];
  double rest = 0;
  for (size_t j = 1; j < size; ++j) rest += x[j] * x[j];
  if (!(rest > 1e-280)) {  // beside 1; the squares of less have lost their digits
    std::fill_n(x, size, 0.0);
    return 0;
  }
  beta = -std::copysign(std::sqrt(x[0] * x[0] + rest), x[0]);
  const double tau = (beta - x[0]) / beta, scale = 1 / (x[0] - beta);
  for (size_t j = 1; j < size; ++j) x[j] *= scale;
  x[0] = 1;
  return tau;
}

}  // namespace

Tridiagonal Tridiagonalise(DenseMatrix a) {
  const size_t n = a.rows(), room = a.stride();
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n), {}, std::vector<double>(n)};
  Buffer<double> w(room), p(room), none(room);
  const double* v = none.data();  // of the step before
  for (size_t k = 0; k < n; ++k) {
    StopCheck::Ask();
    double* row = a.Row(k);
    for (size_t j = k; j < n; ++j) row[j] -= v[k] * w[j] + w[k] * v[j];
    t.diagonal[k] = row[k];
    std::fill_n(row, k + 1, 0.0);
    if (k + 1 < n) t.tau[k] = Reflector(row + k + 1, n - k - 1, t.beside[k]);
    std::fill_n(p.data(), room, 0.0);
    HWY_DYNAMIC_DISPATCH(UpdateAndMultiply)(a.view(), k, v, w.data(), row, p.data());
    // w = tau p - (tau^2 / 2) (p^T v) v
    v = row;
    std::fill_n(p.data(), k + 1, 0.0);
    const double half = 0.5 * t.tau[k] * t.tau[k] * Dot(p.data(), v, n);
    for (size_t j = 0; j < n; ++j) w[j] = t.tau[k] * p[j] - half * v[j];
  }
  t.reflectors = std::move(a);
  return t;
}

void RotateBack(const Tridiagonal& t, DenseMatrix& rows) {
  const size_t n = t.tau.size();
  for (size_t k = n; k-- > 0;) {
    if (t.tau[k] == 0) continue;
    StopCheck::Ask();
    const size_t first = (k + 1) / kDoublePad * kDoublePad;
    const double* v = t.reflectors.Row(k) + first;
    for (size_t i = 0; i < rows.rows(); ++i) {
      double* x = rows.Row(i) + first;
      AddMultiple(-t.tau[k] * Dot(v, x, n - first), v, n - first, x);
    }
  }
}

}  // namespace gopnet
#endif

#include "linalg/triangular.h"

#include <cmath>
#include <cstddef>

#include "linalg/gemm.h"

namespace gopnet {
namespace {

constexpr size_t kSmall = 16;  // solved row by row

size_t Half(size_t n) { return RoundUp(n / 2, kDoublePad); }

void AddScaled(double factor, const double* from, size_t count, double* to) {
  for (size_t j = 0; j < count; ++j) to[j] += factor * from[j];
}

void Divide(double* row, size_t count, double by) {
  for (size_t j = 0; j < count; ++j) row[j] /= by;
}

// c -= x^T x, upper triangle (and what else stands in the smallest squares on the diagonal).
void SubtractSelf(View<const double> x, View<double> c) {
  if (c.rows <= 4 * kSmall) return SubtractProduct(x, x, c);
  const size_t h = Half(c.rows), rest = c.rows - h;
  const View<const double> left = x.Part(0, 0, x.rows, h), right = x.Part(0, h, x.rows, rest);
  SubtractSelf(left, c.Part(0, 0, h, h));
  SubtractProduct(left, right, c.Part(0, h, h, rest));
  SubtractSelf(right, c.Part(h, h, rest, rest));
}

bool SmallCholesky(View<double> k, double tolerance) {
  for (size_t i = 0; i < k.rows; ++i) {
    double* row = k.Row(i);
    for (size_t t = 0; t < i; ++t) AddScaled(-k.Row(t)[i], k.Row(t) + i, k.rows - i, row + i);
    if (!(row[i] > tolerance) || !std::isfinite(row[i])) return false;
    Divide(row + i, k.rows - i, std::sqrt(row[i]));
  }
  return true;
}

}  // namespace

void SolveTransposed(View<const double> r, View<double> b) {
  const size_t n = r.rows, h = Half(n);
  if (n <= kSmall) {
    for (size_t i = 0; i < n; ++i) {
      for (size_t t = 0; t < i; ++t) AddScaled(-r.Row(t)[i], b.Row(t), b.cols, b.Row(i));
      Divide(b.Row(i), b.cols, r.Row(i)[i]);
    }
    return;
  }
  SolveTransposed(r.Part(0, 0, h, h), b.Rows(0, h));
  SubtractProduct(r.Part(0, h, h, n - h), b.Rows(0, h), b.Rows(h, n - h));
  SolveTransposed(r.Part(h, h, n - h, n - h), b.Rows(h, n - h));
}

void SolveUpper(View<const double> r, View<double> b) {
  const size_t n = r.rows, h = Half(n);
  if (n <= kSmall) {
    for (size_t i = n; i-- > 0;) {
      for (size_t t = i + 1; t < n; ++t) AddScaled(-r.Row(i)[t], b.Row(t), b.cols, b.Row(i));
      Divide(b.Row(i), b.cols, r.Row(i)[i]);
    }
    return;
  }
  SolveUpper(r.Part(h, h, n - h, n - h), b.Rows(h, n - h));
  SubtractMatMul(r.Part(0, h, h, n - h), b.Rows(h, n - h), b.Rows(0, h));
  SolveUpper(r.Part(0, 0, h, h), b.Rows(0, h));
}

bool Cholesky(View<double> k, double tolerance) {
  const size_t n = k.rows, h = Half(n);
  if (n <= kSmall) return SmallCholesky(k, tolerance);
  const View<double> corner = k.Part(0, 0, h, h), side = k.Part(0, h, h, n - h),
                     rest = k.Part(h, h, n - h, n - h);
  if (!Cholesky(corner, tolerance)) return false;
  SolveTransposed(corner, side);
  SubtractSelf(side, rest);
  return Cholesky(rest, tolerance);
}

std::optional<DenseMatrix> ShiftedCholesky(const DenseMatrix& k, double shift, double tolerance) {
  std::optional<DenseMatrix> r(k);
  for (size_t i = 0; i < k.rows(); ++i) (*r)(i, i) += shift;
  if (!Cholesky(r->view(), tolerance)) r.reset();
  return r;
}

void SolveFactored(View<const double> r, View<double> b) {
  SolveTransposed(r, b);
  SolveUpper(r, b);
}

}  // namespace gopnet

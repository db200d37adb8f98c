#include "linalg/gemm.h"

#ifndef GOPNET_LINALG_GEMM_PRODUCT  // this file is read once per target; the struct is common to
                                    // all
#define GOPNET_LINALG_GEMM_PRODUCT
namespace gopnet {
// How one product is laid out: a(i, t) stands at a[i * a_row + t * a_inner].
template <class T>
struct Product {
  size_t rows, inner, cols;
  const T* a;
  size_t a_row, a_inner;
  const T* b;
  size_t b_stride;
  const T* bias;
  bool accumulate;
  T* c;
  size_t c_stride;
  bool subtract = false;  // doubles only: c - a b
};
}  // namespace gopnet
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/gemm.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/cache_control.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V, size_t kRows, size_t kVecs>
HWY_INLINE void Negate(V (&sum)[kRows][kVecs]) {
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t v = 0; v < kVecs; ++v) sum[r][v] = hn::Neg(sum[r][v]);
  }
}

// kRows x kVecs registers of c at (i, j), summed over t in order.
template <size_t kRows, size_t kVecs, class T>
HWY_INLINE void Tile(const Product<T>& p, size_t i, size_t j) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  V sum[kRows][kVecs];
  for (size_t v = 0; v < kVecs; ++v) {
    const V start = p.bias ? hn::Load(d, p.bias + j + v * lanes) : hn::Zero(d);
    for (size_t r = 0; r < kRows; ++r) {
      sum[r][v] = p.accumulate ? hn::Load(d, p.c + (i + r) * p.c_stride + j + v * lanes) : start;
    }
  }
  const bool subtract = sizeof(T) == sizeof(double) && p.subtract;
  if (subtract) Negate(sum);  // c - a b = -(-c + a b), as rounding is symmetric
  const T* a = p.a + i * p.a_row;
  const T* b = p.b + j;
  // The next columns of a transposed a lie too far apart for the prefetcher of the CPU.
  const size_t ahead = p.a_row == 1 ? 64 / sizeof(T) : 0;
  for (size_t t = 0; t < p.inner; ++t, a += p.a_inner, b += p.b_stride) {
    V right[kVecs];
    for (size_t v = 0; v < kVecs; ++v) right[v] = hn::Load(d, b + v * lanes);
    hwy::Prefetch(a + ahead);
    for (size_t r = 0; r < kRows; ++r) {
      const V left = hn::Set(d, a[r * p.a_row]);
      for (size_t v = 0; v < kVecs; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
    }
  }
  if (subtract) Negate(sum);
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t v = 0; v < kVecs; ++v)
      hn::Store(sum[r][v], d, p.c + (i + r) * p.c_stride + j + v * lanes);
  }
}

// Rows of a tile that is kVecs wide: enough sums in flight to hide the latency of an FMA, and all
// of them in registers (32 or 16) beside the factors.
template <size_t kVecs>
inline constexpr size_t kTall = kVecs == 1 ? 8 : (HWY_TARGET <= HWY_AVX3 ? 24 : 12) / kVecs;

// All rows of a column strip of kVecs registers: whole tiles first, then smaller ones.
template <size_t kVecs, class T>
HWY_INLINE void Strip(const Product<T>& p, size_t j) {
  size_t i = 0;
  for (; i + kTall<kVecs> <= p.rows; i += kTall<kVecs>) Tile<kTall<kVecs>, kVecs>(p, i, j);
  for (; i + 4 <= p.rows; i += 4) Tile<4, kVecs>(p, i, j);
  for (; i < p.rows; ++i) Tile<1, kVecs>(p, i, j);
}

// Strips of 3 registers, or 2 and 2 where 3 and 1 would be left.
template <class T>
void Multiply(const Product<T>& p) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  size_t j = 0;
  for (size_t left = (p.cols + lanes - 1) / lanes; left > 0;) {
    const size_t take = left == 4 ? 2 : (left < 3 ? left : 3);
    if (take == 3) Strip<3>(p, j);
    if (take == 2) Strip<2>(p, j);
    if (take == 1) Strip<1>(p, j);
    left -= take;
    j += take * lanes;
  }
}

void MultiplyFloat(const Product<float>& p) { Multiply(p); }
void MultiplyDouble(const Product<double>& p) { Multiply(p); }

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cassert>

#include "base/stop_check.h"

namespace gopnet {
HWY_EXPORT(MultiplyFloat);
HWY_EXPORT(MultiplyDouble);

void MatMul(ConstView a, ConstView b, const float* bias, MutView c) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  HWY_DYNAMIC_DISPATCH(MultiplyFloat)
  ({c.rows, a.cols, c.cols, a.data, a.stride, 1, b.data, b.stride, bias, false, c.data, c.stride});
}

void TransposedMatMul(ConstView a, ConstView b, MutView c) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
  HWY_DYNAMIC_DISPATCH(MultiplyFloat)
  ({c.rows, a.rows, c.cols, a.data, 1, a.stride, b.data, b.stride, nullptr, false, c.data,
    c.stride});
}

namespace {
// c += a b, or c -= a b; a may be given transposed. Some columns at a time: of matrices with 10,000
// rows and columns a whole product takes minutes.
void AddTo(View<const double> a, bool transposed, View<const double> b, View<double> c,
           bool subtract) {
  assert((transposed ? a.rows : a.cols) == b.rows && (transposed ? a.cols : a.rows) == c.rows);
  assert(b.cols == c.cols);
  constexpr size_t kColumns = 96;  // whole strips on any target
  ForEachChunk(c.cols, kColumns, [&](size_t first, size_t count) {
    HWY_DYNAMIC_DISPATCH(MultiplyDouble)
    ({c.rows, b.rows, count, a.data, transposed ? 1 : a.stride, transposed ? a.stride : 1,
      b.data + first, b.stride, nullptr, true, c.data + first, c.stride, subtract});
  });
}
}  // namespace

void AddProduct(View<const double> x, View<const double> y, View<double> gram) {
  AddTo(x, true, y, gram, false);
}
void SubtractProduct(View<const double> x, View<const double> y, View<double> c) {
  AddTo(x, true, y, c, true);
}
void AddMatMul(View<const double> a, View<const double> b, View<double> c) {
  AddTo(a, false, b, c, false);
}
void SubtractMatMul(View<const double> a, View<const double> b, View<double> c) {
  AddTo(a, false, b, c, true);
}

void Transpose(ConstView in, MutView out) {
  assert(in.rows == out.cols && in.cols == out.rows);
  for (size_t i = 0; i < out.rows; ++i) {
    float* row = out.Row(i);
    for (size_t j = 0; j < out.cols; ++j) row[j] = in.Row(j)[i];
    for (size_t j = out.cols; j < Pad(out.cols); ++j) row[j] = 0;
  }
}

}  // namespace gopnet
#endif

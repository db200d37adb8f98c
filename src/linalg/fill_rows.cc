// FillRows on Highway: for products of few columns, most of the time goes into turning floats into
// doubles.
#include <cmath>

#include "linalg/gram.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/fill_rows.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/cache_control.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// root (from - mean) / scale for the columns from `col` on, null pointers being left out.
template <class D>
HWY_INLINE void FillPart(D d, const Columns& a, size_t col, const float* from, double root,
                         double* to) {
  auto v = hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
  if (a.mean) v = hn::Sub(v, hn::LoadU(d, a.mean + col));
  if (a.weights) v = hn::Mul(v, hn::Set(d, root));
  if (a.scale) v = hn::Div(v, hn::LoadU(d, a.scale + col));
  hn::StoreU(v, d, to);
}

void FillRows(const Columns& a, size_t row, size_t col, View<double> out) {
  constexpr size_t kAhead = 8;  // rows; too far apart for the prefetcher of the CPU
  const hn::ScalableTag<double> wide;
  const hn::CappedTag<double, 1> one;
  const size_t lanes = hn::Lanes(wide);
  for (size_t n = 0; n < out.rows; ++n) {
    const float* from = a.x.Row(row + n) + col;
    const double root = a.weights ? std::sqrt(static_cast<double>(a.weights[row + n])) : 1.0;
    if (n + kAhead < out.rows) {
      const float* next = from + kAhead * a.x.stride;
      for (size_t j = 0; j < out.cols; j += kLanePad) hwy::Prefetch(next + j);
    }
    double* to = out.Row(n);
    size_t j = 0;
    for (; j + lanes <= out.cols; j += lanes) FillPart(wide, a, col + j, from + j, root, to + j);
    for (; j < out.cols; ++j) FillPart(one, a, col + j, from + j, root, to + j);
    for (; j < out.stride; ++j) to[j] = 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gopnet {
HWY_EXPORT(FillRows);

void FillRows(const Columns& a, size_t row, size_t col, View<double> out) {
  HWY_DYNAMIC_DISPATCH(FillRows)(a, row, col, out);
}

}  // namespace gopnet
#endif

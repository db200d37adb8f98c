// Reductions that give the same bits for every width of a register: a row is dealt to kSums sums in
// turn, element i to sum i % kSums, and these are folded in halves, sum i with sum i + n/2.
#if defined(GOPNET_LINALG_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_LINALG_FOLD_INL_H_
#undef GOPNET_LINALG_FOLD_INL_H_
#else
#define GOPNET_LINALG_FOLD_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Plus {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Add(a, b);
  }
};
// a > b ? a : b, also of NaN and of zeros of either sign; what x86 has as one instruction.
struct Larger {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
#if HWY_ARCH_X86
    return hn::Max(a, b);
#else
    return hn::IfThenElse(hn::Gt(a, b), a, b);
#endif
  }
};

template <class Op, class D>
HWY_INLINE hn::TFromD<D> FoldLanes(D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR  // which has one lane
  if constexpr (hn::MaxLanes(D()) > 2) {
    const hn::Half<D> half;
    return FoldLanes<Op>(half, Op::Of(half, hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    v = Op::Of(d, v, hn::Reverse2(d, v));
  }
#endif
  return hn::GetLane(v);
}

// kSums >= the lanes of a register, both powers of two. Part p holds sums p * lanes and up.
template <class T, size_t kSums>
struct RowSums {
  using D = hn::ScalableTag<T>;
  static constexpr size_t kLanes = hn::MaxLanes(D());
  static constexpr size_t kParts = kSums / kLanes;
  hn::Vec<D> part[kParts];

  HWY_INLINE explicit RowSums(T start) {
    for (size_t p = 0; p < kParts; ++p) part[p] = hn::Set(D(), start);
  }
  template <class Op>
  HWY_INLINE T Fold() const {
    hn::Vec<D> folded[kParts];
    for (size_t p = 0; p < kParts; ++p) folded[p] = part[p];
    for (size_t half = kParts / 2; half > 0; half /= 2) {
      for (size_t p = 0; p < half; ++p) folded[p] = Op::Of(D(), folded[p], folded[p + half]);
    }
    return FoldLanes<Op>(D(), folded[0]);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

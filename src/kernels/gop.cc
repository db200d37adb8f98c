#include "kernels/gop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gop.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/gop_maximum-inl.h"
#include "kernels/gop_separable-inl.h"
#include "kernels/gop_sums-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

// The kernels of one (nodal, pool) pair, chosen by the traits beside the formulas.
template <class Nodal, class Pool>
struct Kernel {
  static void Forward(ConstView x, ConstView w, bool keep, GopScratch& s, MutView pooled) {
    if constexpr (Pool::kTerms == 0) {
      ForwardMaximum<Nodal>(x, w, s, pooled);
    } else if constexpr (Nodal::kFactors == 0) {
      ForwardSeparable<Nodal, Pool::kTerms>(x, w, s, pooled);
    } else if (keep && KeepsFactors<Nodal, Pool>(x.rows, x.cols, w.cols)) {
      ForwardSums<Nodal, Pool, true>(x, w, s, pooled);
    } else {
      ForwardSums<Nodal, Pool, false>(x, w, s, pooled);
    }
  }
  static void Backward(ConstView x, ConstView w, ConstView delta, GopScratch& s, MutView dw,
                       MutView dx) {
    if constexpr (Pool::kTerms == 0) {
      BackwardMaximum<Nodal>(x, delta, s, dw, dx);
    } else if constexpr (Nodal::kFactors == 0) {
      BackwardSeparable<Nodal, Pool::kTerms>(x, w, delta, s, dw, dx);
    } else if (KeepsFactors<Nodal, Pool>(x.rows, x.cols, w.cols)) {
      BackwardSums<Nodal, Pool, true>(x, delta, s, dw, dx);
    } else {
      BackwardSums<Nodal, Pool, false>(x, delta, s, dw, dx);
    }
  }
};

void Forward(int nodal, int pool, ConstView x, ConstView w, bool keep, GopScratch& s,
             MutView pooled) {
  s.w.Reserve(Panels(w.cols) * kLanes * w.rows + kLanes);  // and room for the last pair
  s.w_max.Reserve(Panels(w.cols) / kParts + 1);
  VisitPair(NodalList(), PoolList(), nodal, pool, [&]<class Nodal, class Pool>() {
    Kernel<Nodal, Pool>::Forward(x, w, keep, s, pooled);
  });
}

void Backward(int nodal, int pool, ConstView x, ConstView w, ConstView delta, GopScratch& s,
              MutView dw, MutView dx) {
  s.dw.Reserve(3 * kLanePad * w.rows + kLanes);  // and room for the last pair
  VisitPair(NodalList(), PoolList(), nodal, pool, [&]<class Nodal, class Pool>() {
    Kernel<Nodal, Pool>::Backward(x, w, delta, s, dw, dx);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gopnet {
HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

void GopForward(const OperatorSet& phi, ConstView x, ConstView w, bool keep, GopScratch& scratch,
                MutView pooled) {
  HWY_DYNAMIC_DISPATCH(Forward)(phi.nodal, phi.pool, x, w, keep, scratch, pooled);
}

void GopBackward(const OperatorSet& phi, ConstView x, ConstView w, ConstView delta,
                 GopScratch& scratch, MutView dw, MutView dx) {
  HWY_DYNAMIC_DISPATCH(Backward)(phi.nodal, phi.pool, x, w, delta, scratch, dw, dx);
}

}  // namespace gopnet
#endif

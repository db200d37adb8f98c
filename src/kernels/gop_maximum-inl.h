// Kernels for the maximum pool. Forward finds the argmax by a key that is monotone in psi (psi
// itself, or what an operator offers as cheaper), then evaluates psi once per neuron. Backward
// touches the argmax only.
#if defined(GOPNET_KERNELS_GOP_MAXIMUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_KERNELS_GOP_MAXIMUM_INL_H_
#undef GOPNET_KERNELS_GOP_MAXIMUM_INL_H_
#else
#define GOPNET_KERNELS_GOP_MAXIMUM_INL_H_
#endif

#include "kernels/gop_generic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

using IndexTag = hn::RebindToSigned<Lanes::Tag>;

template <class Nodal>
HWY_INLINE Lanes MaxKey(Lanes y, Lanes w) {
  if constexpr (requires { Nodal::Key(y, w); }) {
    return Nodal::Key(y, w);
  } else {
    return Nodal::Value(y, w, Nodal::Cached(y, w));
  }
}

// y and w at each lane's argmax.
struct Peak {
  Lanes y, w;
  HWY_INLINE Peak(const float* row, const float* panel, hn::Vec<IndexTag> at) : y(0.0), w(0.0) {
    const Lanes::Tag d;
    const IndexTag di;
    y = Lanes(hn::GatherIndex(d, row, at));
    const auto lane = hn::Iota(di, 0);
    w = Lanes(hn::GatherIndex(
        d, panel, hn::Add(hn::Mul(at, hn::Set(di, static_cast<int32_t>(kLanes))), lane)));
  }
};

template <class Nodal, size_t kRows>
HWY_INLINE void MaximumRows(ConstView x, size_t n, const float* w, int32_t* argmax, float* pooled,
                            size_t stride) {
  const IndexTag di;
  Lanes best[kRows];
  hn::Vec<IndexTag> at[kRows];
  for (size_t r = 0; r < kRows; ++r) {
    best[r] = MaxKey<Nodal>(Lanes::Broadcast(x.Row(n + r)), Lanes::Load(w));
    at[r] = hn::Zero(di);
  }
  auto index = hn::Set(di, 1);
  for (size_t k = 1; k < x.cols; ++k, index = hn::Add(index, hn::Set(di, 1))) {
    const Lanes wk = Lanes::Load(w + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      const Lanes key = MaxKey<Nodal>(Lanes::Broadcast(x.Row(n + r) + k), wk);
      const auto higher = hn::Gt(key.v, best[r].v);  // strictly: of equal values the first counts
      best[r] = Lanes(hn::IfThenElse(higher, key.v, best[r].v));
      at[r] = hn::IfThenElse(hn::RebindMask(di, higher), index, at[r]);
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    const Peak peak(x.Row(n + r), w, at[r]);
    Nodal::Value(peak.y, peak.w, Nodal::Cached(peak.y, peak.w)).Store(pooled + r * stride);
    hn::Store(at[r], di, argmax + r * kLanes);
  }
}

template <class Nodal>
void ForwardMaximum(ConstView x, ConstView w, GopScratch& scratch, MutView pooled) {
  scratch.argmax.Reserve(Panels(w.cols) * x.rows * kLanes);
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    float* packed = scratch.w.data() + panel * w.rows * kLanes;
    PackPanel(w, panel, packed);
    float* out = pooled.data + panel * kLanes;
    int32_t* argmax = scratch.argmax.data() + panel * x.rows * kLanes;
    size_t n = 0;
    for (; n + 2 <= x.rows; n += 2) {
      MaximumRows<Nodal, 2>(x, n, packed, argmax + n * kLanes, out + n * pooled.stride,
                            pooled.stride);
    }
    if (n < x.rows) {
      MaximumRows<Nodal, 1>(x, n, packed, argmax + n * kLanes, out + n * pooled.stride,
                            pooled.stride);
    }
  }
}

template <class Nodal>
void BackwardMaximum(ConstView x, ConstView delta, GopScratch& scratch, MutView dw, MutView dx) {
  HWY_ALIGN float by_w[kLanes];
  HWY_ALIGN float by_y[kLanes];
  if (dx.data != nullptr) {
    for (size_t n = 0; n < x.rows; ++n) std::memset(dx.Row(n), 0, x.cols * sizeof(float));
  }
  for (size_t panel = 0; panel < Panels(dw.cols); ++panel) {
    const float* packed = scratch.w.data() + panel * x.cols * kLanes;
    float* sums = scratch.dw.data();
    std::memset(sums, 0, x.cols * kLanes * sizeof(float));
    for (size_t n = 0; n < x.rows; ++n) {
      const int32_t* at = scratch.argmax.data() + (panel * x.rows + n) * kLanes;
      const Peak peak(x.Row(n), packed, hn::Load(IndexTag(), at));
      const Lanes d = Lanes::Load(delta.Row(n) + panel * kLanes);
      const Factor<Lanes> f = Nodal::Cached(peak.y, peak.w);
      (d * Nodal::GradW(peak.y, peak.w, f)).Store(by_w);
      (d * Nodal::GradY(peak.y, peak.w, f)).Store(by_y);
      for (size_t lane = 0; lane < kLanes; ++lane) {
        sums[static_cast<size_t>(at[lane]) * kLanes + lane] += by_w[lane];
        if (dx.data != nullptr) dx.Row(n)[at[lane]] += by_y[lane];
      }
    }
    UnpackPanel(sums, panel, dw);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

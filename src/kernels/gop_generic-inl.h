// Kernels for any nodal and pool operator. One neuron per lane: x is broadcast, weights and results
// are contiguous, and no pool needs a reduction across lanes. Weights are packed in panels
// [K][lanes] of one register's width, so that a panel stays in the first cache level while rows
// stream past it, two at a time.
#if defined(GOPNET_KERNELS_GOP_GENERIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_KERNELS_GOP_GENERIC_INL_H_
#undef GOPNET_KERNELS_GOP_GENERIC_INL_H_
#else
#define GOPNET_KERNELS_GOP_GENERIC_INL_H_
#endif

#include "kernels/gop.h"
#include "ops/nodal-inl.h"
#include "ops/pool-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

inline constexpr size_t kLanes = Lanes::Size();

HWY_INLINE void PackPanel(ConstView w, size_t panel, float* packed) {
  for (size_t k = 0; k < w.rows; ++k)
    Lanes::Load(w.Row(k) + panel * kLanes).Store(packed + k * kLanes);
}
HWY_INLINE void UnpackPanel(const float* packed, size_t panel, MutView w) {
  for (size_t k = 0; k < w.rows; ++k)
    Lanes::Load(packed + k * kLanes).Store(w.Row(k) + panel * kLanes);
}
inline size_t Panels(size_t units) { return (units + kLanes - 1) / kLanes; }

template <class Nodal>
HWY_INLINE Factor<Lanes> LoadFactor(const float* cache, size_t k, Lanes y) {
  if constexpr (Nodal::kFactors == 0) return {y, y};
  if constexpr (Nodal::kFactors == 1) {
    const Lanes a = Lanes::Load(cache + k * kLanes);
    return {a, a};
  }
  return {Lanes::Load(cache + 2 * k * kLanes), Lanes::Load(cache + (2 * k + 1) * kLanes)};
}

// kRows rows of one panel: pools psi over k, keeping the factors if the backward pass will want
// them.
template <class Nodal, class Pool, size_t kRows, bool kKeep>
HWY_INLINE void ForwardRows(ConstView x, size_t n, const float* w, float* cache, float* pooled,
                            size_t stride) {
  const size_t inputs = x.cols;
  typename Pool::template State<Lanes> rho[kRows];
  const float* row[kRows];
  for (size_t r = 0; r < kRows; ++r) row[r] = x.Row(n + r);
  for (size_t k = 0; k < inputs; ++k) {
    const Lanes wk = Lanes::Load(w + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      const Lanes y = Lanes::Broadcast(row[r] + k);
      const Factor<Lanes> f = Nodal::Cached(y, wk);
      if constexpr (kKeep && Nodal::kFactors > 0) {
        float* to = cache + (r * inputs + k) * Nodal::kFactors * kLanes;
        f.a.Store(to);
        if constexpr (Nodal::kFactors > 1) f.b.Store(to + kLanes);
      }
      rho[r].Add(Nodal::Value(y, wk, f));
    }
  }
  for (size_t r = 0; r < kRows; ++r) rho[r].Result().Store(pooled + r * stride);
}

template <class Nodal, class Pool, bool kKeep>
void ForwardSums(ConstView x, ConstView w, GopScratch& scratch, MutView pooled) {
  const size_t row_floats = x.cols * Nodal::kFactors * kLanes;
  if (kKeep) scratch.factors.Reserve(Panels(w.cols) * x.rows * row_floats);
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    float* packed = scratch.w.data() + panel * w.rows * kLanes;
    PackPanel(w, panel, packed);
    float* out = pooled.data + panel * kLanes;
    float* cache = scratch.factors.data() + (kKeep ? panel * x.rows * row_floats : 0);
    size_t n = 0;
    for (; n + 2 <= x.rows; n += 2) {
      ForwardRows<Nodal, Pool, 2, kKeep>(x, n, packed, cache + (kKeep ? n * row_floats : 0),
                                         out + n * pooled.stride, pooled.stride);
    }
    if (n < x.rows) {
      ForwardRows<Nodal, Pool, 1, kKeep>(x, n, packed, cache + (kKeep ? n * row_floats : 0),
                                         out + n * pooled.stride, pooled.stride);
    }
  }
}

// dW of one panel from kRows rows: dw_k += delta P_k psi_w. The window holds z_{k-2}..z_{k+2}.
template <class Nodal, class Pool, size_t kRows>
HWY_INLINE void BackwardRows(ConstView x, size_t n, const float* w, const float* cache,
                             const Lanes* delta, float* dw) {
  const size_t inputs = x.cols;
  const float* row[kRows];
  const float* kept[kRows];
  Window<Lanes> window[kRows];
  for (size_t r = 0; r < kRows; ++r) {
    row[r] = x.Row(n + r);
    kept[r] = cache + r * inputs * Nodal::kFactors * kLanes;
  }
  const auto value = [&](size_t r, size_t k) HWY_ATTR {
    if (k >= inputs) return Lanes(0.0);
    const Lanes y = Lanes::Broadcast(row[r] + k);
    return Nodal::Value(y, Lanes::Load(w + k * kLanes), LoadFactor<Nodal>(kept[r], k, y));
  };
  if constexpr (Pool::kTerms > 1) {
    for (size_t r = 0; r < kRows; ++r) {
      window[r].Push(value(r, 0));
      window[r].Push(value(r, 1));
    }
  }
  for (size_t k = 0; k < inputs; ++k) {
    const Lanes wk = Lanes::Load(w + k * kLanes);
    Lanes sum = Lanes::Load(dw + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      const Lanes y = Lanes::Broadcast(row[r] + k);
      const Lanes slope = Nodal::GradW(y, wk, LoadFactor<Nodal>(kept[r], k, y));
      if constexpr (Pool::kTerms > 1) {
        window[r].Push(value(r, k + 2));
        sum = MulAdd(delta[r] * Pool::Grad(window[r]), slope, sum);
      } else {
        sum = MulAdd(delta[r], slope, sum);
      }
    }
    sum.Store(dw + k * kLanes);
  }
}

// dx of one row: sums delta P_k psi_y over the neurons, a lane each, then across lanes.
template <class Nodal, class Pool>
HWY_INLINE void BackwardInputs(ConstView x, size_t n, size_t panels, const GopScratch& scratch,
                               const float* delta, float* lanes_sum, float* dx) {
  const size_t inputs = x.cols;
  const size_t row_floats = inputs * Nodal::kFactors * kLanes;
  for (size_t k = 0; k < inputs; ++k) Lanes(0.0).Store(lanes_sum + k * kLanes);
  for (size_t panel = 0; panel < panels; ++panel) {
    const float* w = scratch.w.data() + panel * inputs * kLanes;
    const float* kept = scratch.factors.data() + (panel * x.rows + n) * row_floats;
    const Lanes d = Lanes::Load(delta + panel * kLanes);
    Window<Lanes> window;
    const auto value = [&](size_t k) HWY_ATTR {
      if (k >= inputs) return Lanes(0.0);
      const Lanes y = Lanes::Broadcast(x.Row(n) + k);
      return Nodal::Value(y, Lanes::Load(w + k * kLanes), LoadFactor<Nodal>(kept, k, y));
    };
    window.Push(value(0));
    window.Push(value(1));
    for (size_t k = 0; k < inputs; ++k) {
      window.Push(value(k + 2));
      const Lanes y = Lanes::Broadcast(x.Row(n) + k);
      const Lanes slope =
          Nodal::GradY(y, Lanes::Load(w + k * kLanes), LoadFactor<Nodal>(kept, k, y));
      MulAdd(d * Pool::Grad(window), slope, Lanes::Load(lanes_sum + k * kLanes))
          .Store(lanes_sum + k * kLanes);
    }
  }
  const Lanes::Tag tag;
  for (size_t k = 0; k < inputs; ++k) {
    dx[k] = hn::GetLane(hn::SumOfLanes(tag, Lanes::Load(lanes_sum + k * kLanes).v));
  }
}

template <class Nodal, class Pool>
void BackwardSums(ConstView x, ConstView delta, GopScratch& scratch, MutView dw, MutView dx) {
  const size_t row_floats = x.cols * Nodal::kFactors * kLanes;
  for (size_t panel = 0; panel < Panels(dw.cols); ++panel) {
    const float* packed = scratch.w.data() + panel * x.cols * kLanes;
    const float* cache = scratch.factors.data() + panel * x.rows * row_floats;
    float* sums = scratch.dw.data();
    for (size_t k = 0; k < x.cols; ++k) Lanes(0.0).Store(sums + k * kLanes);
    size_t n = 0;
    for (; n + 2 <= x.rows; n += 2) {
      const Lanes d[2] = {Lanes::Load(delta.Row(n) + panel * kLanes),
                          Lanes::Load(delta.Row(n + 1) + panel * kLanes)};
      BackwardRows<Nodal, Pool, 2>(x, n, packed, cache + n * row_floats, d, sums);
    }
    if (n < x.rows) {
      const Lanes d[1] = {Lanes::Load(delta.Row(n) + panel * kLanes)};
      BackwardRows<Nodal, Pool, 1>(x, n, packed, cache + n * row_floats, d, sums);
    }
    UnpackPanel(sums, panel, dw);
  }
  if (dx.data == nullptr) return;
  for (size_t n = 0; n < x.rows; ++n) {
    BackwardInputs<Nodal, Pool>(x, n, Panels(dw.cols), scratch, delta.Row(n), scratch.dw.data(),
                                dx.Row(n));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

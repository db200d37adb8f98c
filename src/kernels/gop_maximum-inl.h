// Kernels for the maximum pool. Forward finds the argmax by the operator's key, which grows with
// psi and costs no transcendental per synapse, then evaluates psi once per neuron. Backward touches
// the argmax only.
#if defined(GOPNET_KERNELS_GOP_MAXIMUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_KERNELS_GOP_MAXIMUM_INL_H_
#undef GOPNET_KERNELS_GOP_MAXIMUM_INL_H_
#else
#define GOPNET_KERNELS_GOP_MAXIMUM_INL_H_
#endif

#include "kernels/gop_panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

using IndexTag = hn::RebindToSigned<Lanes::Tag>;
inline constexpr size_t kMaxBlock = 4;   // rows at once: hides the latency of compare and select
inline constexpr float kNoKey = -1e30f;  // of a psi that is not positive
inline constexpr float kSomeKey = -0.5e30f;  // below: none was
inline constexpr int32_t kNoArgmax = -1;     // of a lane that found no key

// Kernels' view of one panel: inputs, weights, and the logarithms that some keys are made of.
struct MaximumPanel {
  ConstView x, q, log_y;
  const float* w;
  const float* log_w;  // log2 w where w > 0; log2 -w where w < 0 stands `minus` floats further on
  size_t minus;
};

// psi itself: what every operator has.
template <class Nodal>
struct ValueKey {
  static HWY_INLINE Lanes At(const MaximumPanel& p, size_t n, size_t k, Lanes w) {
    const Lanes q = Lanes::Broadcast(p.q.Row(n) + k);
    return Nodal::Value(Lanes::Broadcast(p.x.Row(n) + k), w, Nodal::template Factors<true>(q, w));
  }
};

// The operator's key: Key(q, w), or log2 psi = w q + log2|w| (+ log2|y|) among positive psi.
template <class Nodal>
struct CheapKey {
  static HWY_INLINE Lanes At(const MaximumPanel& p, size_t n, size_t k, Lanes w) {
    const Lanes q = Lanes::Broadcast(p.q.Row(n) + k);
    if constexpr (requires { Nodal::Key(q, w); }) {
      return Nodal::Key(q, w);
    } else if constexpr (!requires { Nodal::kLogKey; }) {
      return ValueKey<Nodal>::At(p, n, k, w);
    } else if constexpr (!Nodal::kOddInput) {
      return MulAdd(w, q, Lanes::Load(p.log_w + k * kLanes));
    } else {
      uint32_t bits = 0;  // a branch on the sign of y would be mispredicted every other time
      std::memcpy(&bits, p.x.Row(n) + k, sizeof(bits));
      const float* log_w = p.log_w + (bits >> 31) * p.minus;
      return MulAdd(w, q, Lanes::Load(log_w + k * kLanes)) + Lanes::Broadcast(p.log_y.Row(n) + k);
    }
  }
};

// y and w at each lane's argmax.
struct Peak {
  Lanes y, w;
  HWY_INLINE Peak(const float* row, const float* panel, hn::Vec<IndexTag> at) : y(0.0), w(0.0) {
    const Lanes::Tag d;
    const IndexTag di;
    y = Lanes(hn::GatherIndex(d, row, at));
    const auto lane = LaneNumbers();
    w = Lanes(hn::GatherIndex(
        d, panel, hn::Add(hn::Mul(at, hn::Set(di, static_cast<int32_t>(kLanes))), lane)));
  }
};

// Argmax and value of kRows rows. Returns a bit for each row with a lane that found no key (no
// positive psi). Those lanes get kNoArgmax, and ValueKey decides for them alone: not for the others
// of the register, whose number differs from CPU to CPU.
template <class Nodal, class Key, size_t kRows>
HWY_INLINE unsigned MaximumRows(const MaximumPanel& p, size_t n, int32_t* argmax, float* pooled,
                                size_t stride) {
  constexpr bool kLogKey = requires { Nodal::kLogKey; };
  constexpr bool kLast = !kLogKey || std::is_same_v<Key, ValueKey<Nodal>>;
  const Lanes::Tag d;
  const IndexTag di;
  Lanes best[kRows];
  hn::Vec<IndexTag> at[kRows];
  for (size_t r = 0; r < kRows; ++r) {
    best[r] = Key::At(p, n + r, 0, Lanes::Load(p.w));
    at[r] = hn::Zero(di);
  }
  auto index = hn::Set(di, 1);
  for (size_t k = 1; k < p.x.cols; ++k, index = hn::Add(index, hn::Set(di, 1))) {
    const Lanes w = Lanes::Load(p.w + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      const Lanes key = Key::At(p, n + r, k, w);
      const auto higher = hn::Gt(key.v, best[r].v);  // strictly: of equal values the first counts
      best[r] = Max(best[r], key);
      at[r] = hn::IfThenElse(hn::RebindMask(di, higher), index, at[r]);
    }
  }
  unsigned without = 0;
  for (size_t r = 0; r < kRows; ++r) {
    const Peak peak(p.x.Row(n + r), p.w, at[r]);
    Lanes value =
        Nodal::Value(peak.y, peak.w, Nodal::template Factors<true>(Nodal::Input(peak.y), peak.w));
    if constexpr (!kLast) {
      const auto keyed = hn::Gt(best[r].v, Lanes(kSomeKey).v);
      at[r] = hn::IfThenElse(hn::RebindMask(di, keyed), at[r], hn::Set(di, kNoArgmax));
      without |= hn::AllTrue(d, keyed) ? 0u : 1u << r;
    } else if constexpr (kLogKey) {
      const auto before = hn::Load(di, argmax + r * kLanes);
      const auto keyed = hn::Ne(before, hn::Set(di, kNoArgmax));
      at[r] = hn::IfThenElse(keyed, before, at[r]);
      value = Lanes(
          hn::IfThenElse(hn::RebindMask(d, keyed), hn::Load(d, pooled + r * stride), value.v));
    }
    value.Store(pooled + r * stride);
    hn::Store(at[r], di, argmax + r * kLanes);
  }
  return without;
}

// log2 w and log2 -w of every panel, kNoKey where there is none; absent neurons find a key too.
HWY_INLINE void PackLogs(ConstView w, GopScratch& s) {
  const size_t floats = Panels(w.cols) * w.rows * kLanes;
  s.log_w.Reserve(2 * floats);
  for (size_t i = 0; i < floats; i += kLanes) {
    const Lanes wi = Lanes::Load(s.w.data() + i);
    const size_t first = i / (w.rows * kLanes) * kLanes;  // neuron of lane 0
    const size_t real = w.cols - first < kLanes ? w.cols - first : kLanes;
    const auto present = hn::FirstN(Lanes::Tag(), real);
    const Lanes none = Lanes(hn::IfThenElseZero(present, Lanes(kNoKey).v));
    const Lanes log = Log2(Max(Abs(wi), Lanes(1e-37)));
    IfPositive(wi, log, none).Store(s.log_w.data() + i);
    IfPositive(-wi, log, none).Store(s.log_w.data() + floats + i);
  }
}
// log2 |y|
HWY_INLINE void PrepareLogInputs(ConstView x, GopScratch& s) {
  const MutView to = Room(s.log_y, x.rows, x.cols);
  for (size_t n = 0; n < x.rows; ++n) {
    std::memcpy(to.Row(n), x.Row(n), x.cols * sizeof(float));
    for (size_t k = 0; k < to.stride; k += kLanes) {
      const Lanes y = Abs(Lanes::Load(to.Row(n) + k));
      IfPositive(y, Log2(Max(y, Lanes(1e-37))), Lanes(kNoKey)).Store(to.Row(n) + k);
    }
  }
}

// May row n of this panel be decided by the key? Keys of logarithms need psi without its guard, and
// products that stay far from kNoKey. Asked of each row alone, and of 16 neurons, so that rows do
// not depend on others nor neurons on the width of a register.
template <class Nodal>
HWY_INLINE bool HasKey(const GopScratch& s, size_t panel, size_t n) {
  if constexpr (requires { Nodal::kLogKey; }) {
    const double limit = Nodal::kGuardedKey ? Nodal::kSafe : 1e25;
    return s.w_max[panel / kParts] * s.q_max[n] <= static_cast<float>(limit);
  }
  return true;
}

template <class Nodal>
HWY_INLINE void MaximumPanelRows(const MaximumPanel& p, const GopScratch& s, size_t panel,
                                 int32_t* argmax, MutView pooled) {
  const auto run = [&]<class Key, size_t kRows>(size_t n) HWY_ATTR {
    return MaximumRows<Nodal, Key, kRows>(p, n, argmax + n * kLanes, pooled.Row(n) + panel * kLanes,
                                          pooled.stride);
  };
  for (size_t n = 0; n < p.x.rows;) {
    size_t keyed = 0;
    while (keyed < kMaxBlock && n + keyed < p.x.rows && HasKey<Nodal>(s, panel, n + keyed)) ++keyed;
    const size_t rows = keyed == kMaxBlock ? kMaxBlock : 1;
    unsigned without = 1;
    if (rows == kMaxBlock) {
      without = run.template operator()<CheapKey<Nodal>, kMaxBlock>(n);
    } else if (keyed > 0) {
      without = run.template operator()<CheapKey<Nodal>, 1>(n);
    } else {
      hn::Store(hn::Set(IndexTag(), kNoArgmax), IndexTag(), argmax + n * kLanes);
    }
    if constexpr (requires { Nodal::kLogKey; }) {
      for (size_t r = 0; r < rows; ++r) {
        if (without >> r & 1u) run.template operator()<ValueKey<Nodal>, 1>(n + r);
      }
    }
    n += rows;
  }
}

template <class Nodal>
void ForwardMaximum(ConstView x, ConstView w, GopScratch& s, MutView pooled) {
  constexpr bool kLogKey = requires { Nodal::kLogKey; };
  PrepareInputs<Nodal>(x, s);
  PackWeights(w, false, s);
  if constexpr (kLogKey) PackLogs(w, s);
  if constexpr (kLogKey) PrepareLogInputs(x, s);
  s.argmax.Reserve(Panels(w.cols) * x.rows * kLanes);
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    const size_t first = panel * w.rows * kLanes;
    MaximumPanel p{x, s.q.view(), s.log_y.view(), s.w.data() + first, nullptr, 0};
    if constexpr (kLogKey) {
      p.log_w = s.log_w.data() + first;
      p.minus = Panels(w.cols) * w.rows * kLanes;
    }
    MaximumPanelRows<Nodal>(p, s, panel, s.argmax.data() + panel * x.rows * kLanes, pooled);
  }
}

template <class Nodal>
void BackwardMaximum(ConstView x, ConstView delta, GopScratch& s, MutView dw, MutView dx) {
  HWY_ALIGN float by_w[kLanes];
  HWY_ALIGN float by_y[kLanes];
  if (dx.data != nullptr) {
    for (size_t n = 0; n < x.rows; ++n) std::memset(dx.Row(n), 0, x.cols * sizeof(float));
  }
  for (size_t panel = 0; panel < Panels(dw.cols); ++panel) {
    const float* packed = s.w.data() + panel * x.cols * kLanes;
    float* sums = s.dw.data();
    std::memset(sums, 0, x.cols * kLanes * sizeof(float));
    for (size_t n = 0; n < x.rows; ++n) {
      const int32_t* at = s.argmax.data() + (panel * x.rows + n) * kLanes;
      const Peak peak(x.Row(n), packed, hn::Load(IndexTag(), at));
      const Lanes d = Lanes::Load(delta.Row(n) + panel * kLanes);
      const Lanes q = Nodal::Input(peak.y);
      const Factor<Lanes> f = Nodal::template Factors<true>(q, peak.w);
      (d * Nodal::template GradW<true>(peak.y, q, peak.w, f)).Store(by_w);
      for (size_t lane = 0; lane < kLanes; ++lane)
        sums[static_cast<size_t>(at[lane]) * kLanes + lane] += by_w[lane];
      if (dx.data == nullptr) continue;
      (d * Nodal::template GradY<true>(peak.y, q, peak.w, f)).Store(by_y);
      for (size_t lane = 0; lane < kLanes; ++lane) dx.Row(n)[at[lane]] += by_y[lane];
    }
    UnpackPanel<false>(sums, panel, dw);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

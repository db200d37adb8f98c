// Kernels for any transcendental nodal operator under a sum of products of neighbours. No pool
// needs a reduction across lanes; rows stream past a panel kBlock at a time.
#if defined(GOPNET_KERNELS_GOP_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_KERNELS_GOP_SUMS_INL_H_
#undef GOPNET_KERNELS_GOP_SUMS_INL_H_
#else
#define GOPNET_KERNELS_GOP_SUMS_INL_H_
#endif

#include "kernels/gop_panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

inline constexpr size_t kBlock =
    HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // rows at once: 32 or 16 registers

// kRows rows from n on: pools psi over k, keeping the factors if the backward pass will want them.
template <size_t kRows, Keep kKeep, bool kGuarded, class Panel>
HWY_INLINE void ForwardRows(const Panel& p, size_t n, float* pooled, size_t stride) {
  using Nodal = typename Panel::Nodal;
  typename Panel::Pool::template State<Lanes> rho[kRows];
  for (size_t k = 0; k < p.inputs; ++k) {
    const Lanes w = p.W(k);
    for (size_t r = 0; r < kRows; ++r) {
      const Factor<Lanes> f = Nodal::template Factors<kGuarded>(p.Q(n + r, k), w);
      if (p.template Keeps<kKeep>()) p.Store(n + r, k, f);
      rho[r].Add(Nodal::Value(p.X(n + r, k), w, f));
    }
  }
  for (size_t r = 0; r < kRows; ++r) rho[r].Result().Store(pooled + r * stride);
}
template <class Panel>
HWY_NOINLINE void ForwardGuardedRow(Panel p, size_t n, float* pooled) {
  ForwardRows<1, Keep::kAsk, true>(p, n, pooled, 0);
}

template <class Nodal, class Pool, bool kKeep, bool kPairs>
HWY_INLINE void ForwardPanel(ConstView x, size_t panel, GopScratch& s, MutView pooled) {
  const PanelRows<Nodal, Pool, kPairs> p(x, s, panel, kKeep);
  HWY_ALIGN float pairs[kPairs ? kBlock * kLanes : 1];
  for (size_t n = 0; n < p.count;) {
    const size_t rows = n + kBlock <= p.count && p.IsSafe(s, n, kBlock, x.rows) ? kBlock : 1;
    float* out = kPairs ? pairs : pooled.Row(n) + panel * kLanes;
    const size_t stride = kPairs ? kLanes : pooled.stride;
    if (rows == kBlock) {
      ForwardRows<kBlock, kKeepOf<kKeep>, false>(p, n, out, stride);
    } else {
      ForwardGuardedRow(p, n, out);
    }
    for (size_t r = 0; kPairs && r < rows; ++r) {
      const Lanes both = Lanes::Load(pairs + r * kLanes);
      const size_t first = 2 * (n + r);
      RowOfPair<0>(both).Store(pooled.Row(first) + panel * kLanes);
      if (first + 1 < x.rows) RowOfPair<1>(both).Store(pooled.Row(first + 1) + panel * kLanes);
    }
    n += rows;
  }
}

template <class Nodal, class Pool, bool kKeep>
void ForwardSums(ConstView x, ConstView w, GopScratch& s, MutView pooled) {
  PrepareInputs<Nodal>(x, s);
  PackWeights(w, true, s);
  if (kKeep) s.factors.Reserve(FactorFloats<Nodal, Pool>(x.rows, x.cols, w.cols));
  const size_t full = FullPanels(w.cols);
  for (size_t panel = 0; panel < full; ++panel)
    ForwardPanel<Nodal, Pool, kKeep, false>(x, panel, s, pooled);
  if constexpr (kHalves) {
    if (full == Panels(w.cols)) return;
    PairAll(x, s.pair_x, PairStride(x.cols));
    PairAll(s.q.view().Rows(0, x.rows), s.pair_q, PairStride(x.cols));
    ForwardPanel<Nodal, Pool, kKeep, true>(x, full, s, pooled);
  }
}

// Walks one row along k: what z_k contributes, delta P_k, and the factors of its slope. Looks ahead
// as far as P_k does, so that every factor is fetched or computed once.
template <class Panel, Keep kKeep, bool kGuarded>
struct Walk {
  using Nodal = typename Panel::Nodal;
  using Pool = typename Panel::Pool;
  static constexpr int kAhead = Pool::kTerms - 1;
  size_t n = 0;
  Lanes delta, share;  // share = delta P_k
  Window<Lanes> z;
  Lanes b, b1, b2;  // slope factors of k, k + 1, k + 2
  HWY_INLINE Walk() : delta(0.0), share(0.0), z(), b(0.0), b1(0.0), b2(0.0) {}
  HWY_INLINE void Start(const Panel& p, size_t row, const float* d) {
    n = row;
    delta = Lanes::Load(d);
    share = delta;
    for (int k = 0; k < kAhead; ++k) Fetch(p, static_cast<size_t>(k));
  }
  HWY_INLINE void Fetch(const Panel& p, size_t k) {
    b = b1;
    b1 = b2;
    if (k < p.inputs) {
      const Factor<Lanes> f = p.template Get<kKeep, kGuarded>(n, k);
      (kAhead == 1 ? b1 : b2) = f.b;
      z.template Push<kAhead>(Nodal::Value(p.X(n, k), p.W(k), f));
    } else {
      z.template Push<kAhead>(Lanes(0.0));
    }
  }
  HWY_INLINE void MoveTo(const Panel& p, size_t k) {
    if constexpr (kAhead == 0) {
      b = p.template Get<kKeep, kGuarded>(n, k).b;
    } else {
      Fetch(p, k + kAhead);
      share = delta * Pool::Grad(z);
    }
  }
};

// dW of one panel from kRows rows: dw_k += delta P_k psi_w.
template <size_t kRows, Keep kKeep, bool kGuarded, class Panel>
HWY_INLINE void BackwardRows(const Panel& p, size_t n, const float* delta, size_t stride, float* dw,
                             bool both = true) {
  Walk<Panel, kKeep, kGuarded> rows[kRows];
  for (size_t r = 0; r < kRows; ++r) rows[r].Start(p, n + r, delta + r * stride);
  for (size_t k = 0; k < p.inputs; ++k) {
    const Lanes w = p.W(k);
    Lanes sum = Lanes::Load(dw + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      rows[r].MoveTo(p, k);
      const Lanes slope = Panel::Nodal::template GradW<kGuarded>(
          p.X(n + r, k), p.Q(n + r, k), w, Factor<Lanes>(rows[r].b, rows[r].b));
      sum = Panel::AddRow(rows[r].share, slope, sum, both);
    }
    sum.Store(dw + k * kLanes);
  }
}
template <class Panel>
HWY_NOINLINE void BackwardGuardedRow(Panel p, size_t n, const float* delta, float* dw, bool both) {
  BackwardRows<1, Keep::kAsk, true>(p, n, delta, 0, dw, both);
}

// dLoss/dpooled of a panel: in the matrix itself, or of pairs.
template <bool kPairs>
HWY_INLINE const float* PanelDelta(ConstView delta, const GopScratch& s, size_t panel, size_t n) {
  return kPairs ? s.pair_delta.data() + n * kLanes : delta.Row(n) + panel * kLanes;
}

template <class Nodal, class Pool, bool kKeep, bool kPairs>
HWY_INLINE void BackwardPanel(ConstView x, ConstView delta, size_t panel, GopScratch& s,
                              MutView dw) {
  constexpr size_t kRows = Pool::kTerms > 1 ? kBlock / 2 : kBlock;  // windows need registers
  const PanelRows<Nodal, Pool, kPairs> p(x, s, panel, kKeep);
  const size_t stride = kPairs ? kLanes : delta.stride;
  const size_t whole = kPairs ? x.rows / 2 : p.count;  // a last row may have no second
  float* sums = s.dw.data();
  std::memset(sums, 0, x.cols * kLanes * sizeof(float));
  for (size_t n = 0; n < p.count;) {
    const float* d = PanelDelta<kPairs>(delta, s, panel, n);
    if (n + kRows <= whole && p.IsSafe(s, n, kRows, x.rows)) {
      BackwardRows<kRows, kKeepOf<kKeep>, false>(p, n, d, stride, sums);
      n += kRows;
    } else {
      BackwardGuardedRow(p, n, d, sums, n < whole);
      ++n;
    }
  }
  UnpackPanel<kPairs>(sums, panel, dw);
}

// dx of row (or pair) n, this panel's part, a lane each: sums_k += delta P_k psi_y. `first`: from
// 0.
template <Keep kKeep, bool kGuarded, class Panel>
HWY_INLINE void InputSums(const Panel& p, size_t n, const float* delta, bool first, float* sums) {
  HWY_ALIGN static constexpr float kZeros[kLanes] = {};
  const float* before = first ? kZeros : sums;
  const size_t step = first ? 0 : kLanes;
  Walk<Panel, kKeep, kGuarded> row;
  row.Start(p, n, delta);
  for (size_t k = 0; k < p.inputs; ++k) {
    row.MoveTo(p, k);
    const Lanes slope = Panel::Nodal::template GradY<kGuarded>(p.X(n, k), p.Q(n, k), p.W(k),
                                                               Factor<Lanes>(row.b, row.b));
    MulAdd(row.share, slope, Lanes::Load(before + k * step)).Store(sums + k * kLanes);
  }
}
template <class Panel>
HWY_NOINLINE void GuardedInputSums(Panel p, size_t n, const float* delta, bool first, float* sums) {
  InputSums<Keep::kAsk, true>(p, n, delta, first, sums);
}
template <class Nodal, class Pool, bool kKeep, bool kPairs>
HWY_INLINE void PanelInputSums(ConstView x, ConstView delta, size_t panel, size_t n, GopScratch& s,
                               bool first, float* sums) {
  const PanelRows<Nodal, Pool, kPairs> p(x, s, panel, kKeep);
  const float* d = PanelDelta<kPairs>(delta, s, panel, n);
  if (p.IsSafe(s, n, 1, x.rows)) {
    InputSums<kKeepOf<kKeep>, false>(p, n, d, first, sums);
  } else {
    GuardedInputSums(p, n, d, first, sums);
  }
}

// Sums of two rows, [parts][K][lanes] each, and what a half panel, whose lanes are both rows in
// turn, adds to their first halves.
struct PairSums {
  size_t inputs;
  float* row[2];
  float* pair;
  HWY_INLINE PairSums(size_t cols, float* room)
      : inputs(cols), row{room, room + Size()}, pair(room + 2 * Size()) {}
  HWY_INLINE size_t Size() const { return kParts * inputs * kLanes; }
  HWY_INLINE float* Part(size_t r, size_t panel) const {
    return row[r] + panel % kParts * inputs * kLanes;
  }
  HWY_INLINE void Join() const {  // the second half is overwritten by the next k
    for (size_t k = 0; k < inputs * kLanes; k += kLanes)
      hn::StoreInterleaved2(Lanes::Load(row[0] + k).v, Lanes::Load(row[1] + k).v, Lanes::Tag(),
                            pair + k);
  }
  template <int kSecond>
  HWY_INLINE void TakeHalf() const {
#if HWY_TARGET != HWY_SCALAR
    for (size_t k = 0; k < inputs * kLanes; k += kLanes) {
      const Lanes half = RowOfPair<kSecond>(Lanes::Load(pair + k));
      Lanes(hn::ConcatUpperLower(Lanes::Tag(), Lanes::Load(row[kSecond] + k).v, half.v))
          .Store(row[kSecond] + k);
    }
#endif
  }
  HWY_INLINE float Sum(size_t r, size_t k) const {
    NeuronSums sums(0);
    for (size_t p = 0; p < kParts; ++p) sums.part[p] = Lanes::Load(Part(r, p) + k * kLanes).v;
    return sums.Fold<Plus>();
  }
};

// dx of two rows at a time: full panels each for itself, half a panel for both.
template <class Nodal, class Pool, bool kKeep>
void BackwardInputs(ConstView x, ConstView delta, GopScratch& s, MutView dx) {
  const size_t full = FullPanels(delta.cols);
  const PairSums sums(x.cols, s.dw.data());
  std::memset(s.dw.data(), 0, 2 * sums.Size() * sizeof(float));  // where there are few neurons
  for (size_t first = 0; first < x.rows; first += 2) {
    const size_t rows = first + 1 < x.rows ? 2 : 1;
    for (size_t panel = 0; panel < full; ++panel) {
      for (size_t r = 0; r < rows; ++r)
        PanelInputSums<Nodal, Pool, kKeep, false>(x, delta, panel, first + r, s, panel < kParts,
                                                  sums.Part(r, panel));
    }
    if constexpr (kHalves) {
      if (full < Panels(delta.cols)) {
        if (full > 0) sums.Join();
        PanelInputSums<Nodal, Pool, kKeep, true>(x, delta, full, first / 2, s, full == 0,
                                                 sums.pair);
        sums.TakeHalf<0>();
        sums.TakeHalf<1>();
      }
    }
    for (size_t r = 0; r < rows; ++r) {
      for (size_t k = 0; k < x.cols; ++k) dx.Row(first + r)[k] = sums.Sum(r, k);
    }
  }
}

template <class Nodal, class Pool, bool kKeep>
void BackwardSums(ConstView x, ConstView delta, GopScratch& s, MutView dw, MutView dx) {
  const size_t full = FullPanels(dw.cols);
  // Backwards: what was kept last is still in the cache.
  if constexpr (kHalves) {
    if (full < Panels(dw.cols)) {
      s.pair_delta.Reserve(PairCount(x.rows) * kLanes + kLanes);
      for (size_t n = 0; n < x.rows; n += 2) {  // the second half is overwritten by the next pair
        PairRows({delta.data + full * kLanes, x.rows, kLanes, delta.stride}, n,
                 s.pair_delta.data() + n / 2 * kLanes);
      }
      BackwardPanel<Nodal, Pool, kKeep, true>(x, delta, full, s, dw);
    }
  }
  for (size_t panel = full; panel-- > 0;)
    BackwardPanel<Nodal, Pool, kKeep, false>(x, delta, panel, s, dw);
  if (dx.data != nullptr) BackwardInputs<Nodal, Pool, kKeep>(x, delta, s, dx);
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

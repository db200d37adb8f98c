// Kernels for any transcendental nodal operator under a sum of products of neighbours. One neuron
// per lane: inputs are broadcast, weights and results are contiguous, and no pool needs a reduction
// across lanes. Weights are packed in panels [K][lanes] of one register's width, so that a panel
// stays in the first cache level while rows stream past it, kBlock at a time.
//
// Where at most half of the last panel's lanes would have a neuron (40 neurons in registers of 16),
// it is a half panel: its lanes are those neurons for two rows in turn, and a "row" of it is a
// pair.
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
inline constexpr size_t kBlock =
    HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // rows at once: 32 or 16 registers
inline size_t Panels(size_t units) { return (units + kLanes - 1) / kLanes; }
inline constexpr bool kHalves = kLanes == 16;
inline bool EndsInHalf(size_t units) {
  return kHalves && units % kLanes > 0 && units % kLanes <= kLanes / 2;
}
inline size_t FullPanels(size_t units) { return Panels(units) - (EndsInHalf(units) ? 1 : 0); }
inline size_t PairCount(size_t rows) { return (rows + 1) / 2; }

HWY_INLINE float LargestLane(Lanes v) { return hn::GetLane(hn::MaxOfLanes(Lanes::Tag(), v.v)); }

// Packs every panel of w and notes its largest |w|.
HWY_INLINE void PackWeights(ConstView w, bool halves, GopScratch& s) {
  const size_t full = halves ? FullPanels(w.cols) : Panels(w.cols);
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    float* packed = s.w.data() + panel * w.rows * kLanes;
    Lanes largest(0.0);
    for (size_t k = 0; k < w.rows; ++k) {
      const Lanes wk = Lanes::Load(w.Row(k) + panel * kLanes);
      if (panel < full) {
        wk.Store(packed + k * kLanes);
      } else {  // the second half is overwritten by the next k
        hn::StoreInterleaved2(wk.v, wk.v, Lanes::Tag(), packed + k * kLanes);
      }
      largest = Max(largest, Abs(wk));
    }
    s.w_max[panel] = LargestLane(largest);
  }
}
// Lanes of the first (0) or second row of a pair, in order; 0 in the other half of the register.
template <int kSecond>
HWY_INLINE Lanes RowOfPair(Lanes v) {
#if HWY_TARGET == HWY_SCALAR  // which has no pairs, and no such functions
  return v;
#else
  const Lanes::Tag d;
  return Lanes(kSecond ? hn::ConcatOdd(d, hn::Zero(d), v.v) : hn::ConcatEven(d, hn::Zero(d), v.v));
#endif
}
template <bool kPairs>
HWY_INLINE void UnpackPanel(const float* packed, size_t panel, MutView w) {
  for (size_t k = 0; k < w.rows; ++k) {
    Lanes v = Lanes::Load(packed + k * kLanes);
    if constexpr (kPairs) v = RowOfPair<0>(v) + RowOfPair<1>(v);
    v.Store(w.Row(k) + panel * kLanes);
  }
}

// Numbers of two rows in turn; without a second row, zeros. `to` has room for whole registers.
HWY_INLINE void PairRows(const float* first, const float* second, size_t count, float* to) {
  const Lanes::Tag d;
  for (size_t k = 0; k < count; k += kLanes, to += 2 * kLanes) {
    if (k + kLanes <= count && second != nullptr) {
      hn::StoreInterleaved2(hn::LoadU(d, first + k), hn::LoadU(d, second + k), d, to);
      continue;
    }
    HWY_ALIGN float a[kLanes] = {};
    HWY_ALIGN float b[kLanes] = {};
    const size_t left = count - k < kLanes ? count - k : kLanes;
    std::memcpy(a, first + k, left * sizeof(float));
    if (second != nullptr) std::memcpy(b, second + k, left * sizeof(float));
    hn::StoreInterleaved2(hn::Load(d, a), hn::Load(d, b), d, to);
  }
}
HWY_INLINE size_t PairStride(size_t inputs) {
  return 2 * ((inputs + kLanes - 1) / kLanes) * kLanes;
}

HWY_INLINE void PairAll(ConstView x, Buffer<float>& to, size_t stride) {
  to.Reserve(PairCount(x.rows) * stride);
  for (size_t n = 0; n < x.rows; n += 2) {
    PairRows(x.Row(n), n + 1 < x.rows ? x.Row(n + 1) : nullptr, x.cols, to.data() + n / 2 * stride);
  }
}

// to[k] = Input(from[k]), aligned, with 0 in the padding; returns the largest |to[k]|.
template <class Nodal>
HWY_INLINE float PrepareRow(const float* from, size_t inputs, float* to) {
  const Lanes::Tag d;
  Lanes largest(0.0);
  size_t k = 0;
  for (; k + kLanes <= inputs; k += kLanes) {
    const Lanes q = Nodal::Input(Lanes(hn::LoadU(d, from + k)));
    q.Store(to + k);
    largest = Max(largest, Abs(q));
  }
  if (k < inputs) {
    HWY_ALIGN float rest[kLanes] = {};
    std::memcpy(rest, from + k, (inputs - k) * sizeof(float));
    const Lanes q = Nodal::Input(Lanes::Load(rest));  // Input(0) = 0 for every operator
    q.Store(to + k);
    largest = Max(largest, Abs(q));
  }
  return LargestLane(largest);
}

// q = Input(y) of every row, and the largest |q| of each.
template <class Nodal>
void PrepareInputs(ConstView x, GopScratch& s) {
  const MutView q = Room(s.q, x.rows, x.cols);
  s.q_max.Reserve(x.rows);
  for (size_t n = 0; n < x.rows; ++n) s.q_max[n] = PrepareRow<Nodal>(x.Row(n), x.cols, q.Row(n));
}

// May rows n .. n + count - 1 of the batch do without the guard?
template <class Nodal>
HWY_INLINE bool IsSafe(const GopScratch& s, size_t panel, size_t n, size_t count) {
  float q = 0;
  for (size_t r = 0; r < count; ++r) q = s.q_max[n + r] > q ? s.q_max[n + r] : q;
  return s.w_max[panel] * q <= static_cast<float>(Nodal::kSafe);
}

// Factors that the backward pass needs: of a plain sum only those of the slope. They are kept while
// computing them anew is slower than streaming them: with registers of 16 lanes while they fit the
// second cache level or so, with narrower ones longer.
template <class Nodal, class Pool>
inline constexpr size_t kKept = Pool::kTerms > 1 ? Nodal::kFactors : 1;
inline constexpr size_t kKeepBytes = size_t{HWY_TARGET <= HWY_AVX3 ? 5 : 32} << 18;  // 1.25, 8 MiB

template <class Nodal, class Pool>
HWY_INLINE size_t FactorFloats(size_t rows, size_t inputs, size_t units) {
  const size_t row_panels = FullPanels(units) * rows + (EndsInHalf(units) ? PairCount(rows) : 0);
  return row_panels * inputs * kKept<Nodal, Pool> * kLanes;
}
template <class Nodal, class Pool>
HWY_INLINE bool KeepsFactors(size_t rows, size_t inputs, size_t units) {
  return FactorFloats<Nodal, Pool>(rows, inputs, units) * sizeof(float) <= kKeepBytes;
}

// One panel and the rows (or pairs) of a batch: where things stand.
template <class N, class P, bool kPairs>
struct PanelRows {
  using Nodal = N;
  using Pool = P;
  size_t panel, count, inputs;  // count: rows or pairs
  const float* x;
  const float* q;
  size_t x_stride, q_stride;
  const float* w;      // K x lanes
  float* factors;      // count x K x kept x lanes
  size_t row_factors;  // floats
  HWY_INLINE PanelRows(ConstView rows, GopScratch& s, size_t panel_index)
      : panel(panel_index),
        count(kPairs ? PairCount(rows.rows) : rows.rows),
        inputs(rows.cols),
        x(kPairs ? s.pair_x.data() : rows.data),
        q(kPairs ? s.pair_q.data() : s.q.data()),
        x_stride(kPairs ? PairStride(rows.cols) : rows.stride),
        q_stride(kPairs ? PairStride(rows.cols) : s.q.stride()),
        w(s.w.data() + panel_index * rows.cols * kLanes),
        factors(nullptr),
        row_factors(rows.cols * kKept<Nodal, Pool> * kLanes) {
    if (s.factors.size() > 0) factors = s.factors.data() + panel * rows.rows * row_factors;
  }
  static HWY_INLINE Lanes Broadcast(const float* row, size_t k) {
    if constexpr (kPairs) {
      double pair;
      std::memcpy(&pair, row + 2 * k, sizeof(pair));
      return Lanes(hn::BitCast(Lanes::Tag(), hn::Set(hn::ScalableTag<double>(), pair)));
    }
    return Lanes::Broadcast(row + k);
  }
  HWY_INLINE Lanes X(size_t n, size_t k) const { return Broadcast(x + n * x_stride, k); }
  HWY_INLINE Lanes Q(size_t n, size_t k) const { return Broadcast(q + n * q_stride, k); }
  HWY_INLINE Lanes W(size_t k) const { return Lanes::Load(w + k * kLanes); }
  // May `rows` rows (or pairs) from n on do without the guard?
  HWY_INLINE bool IsSafe(const GopScratch& s, size_t n, size_t rows, size_t batch) const {
    constexpr size_t kEach = kPairs ? 2 : 1;
    const size_t last = kEach * (n + rows) < batch ? kEach * (n + rows) : batch;
    return gopnet::HWY_NAMESPACE::IsSafe<Nodal>(s, panel, kEach * n, last - kEach * n);
  }
  HWY_INLINE float* At(size_t n, size_t k) const {
    return factors + n * row_factors + k * kKept<Nodal, Pool> * kLanes;
  }
  HWY_INLINE void Store(size_t n, size_t k, Factor<Lanes> f) const {
    f.b.Store(At(n, k));
    if constexpr (kKept < Nodal, Pool >> 1) f.a.Store(At(n, k) + kLanes);
  }
  template <bool kKeep, bool kGuarded>
  HWY_INLINE Factor<Lanes> Get(size_t n, size_t k) const {
    if constexpr (!kKeep) {
      return Nodal::template Factors<kGuarded>(Q(n, k), W(k));
    }
    const Lanes b = Lanes::Load(At(n, k));
    if constexpr (kKept < Nodal, Pool >> 1) return {Lanes::Load(At(n, k) + kLanes), b};
    return {b, b};
  }
};

// kRows rows from n on: pools psi over k, keeping the factors if the backward pass will want them.
template <size_t kRows, bool kKeep, bool kGuarded, class Panel>
HWY_INLINE void ForwardRows(const Panel& p, size_t n, float* pooled, size_t stride) {
  using Nodal = typename Panel::Nodal;
  typename Panel::Pool::template State<Lanes> rho[kRows];
  for (size_t k = 0; k < p.inputs; ++k) {
    const Lanes w = p.W(k);
    for (size_t r = 0; r < kRows; ++r) {
      const Factor<Lanes> f = Nodal::template Factors<kGuarded>(p.Q(n + r, k), w);
      if constexpr (kKeep) p.Store(n + r, k, f);
      rho[r].Add(Nodal::Value(p.X(n + r, k), w, f));
    }
  }
  for (size_t r = 0; r < kRows; ++r) rho[r].Result().Store(pooled + r * stride);
}

template <class Nodal, class Pool, bool kKeep, bool kPairs>
HWY_INLINE void ForwardPanel(ConstView x, size_t panel, GopScratch& s, MutView pooled) {
  const PanelRows<Nodal, Pool, kPairs> p(x, s, panel);
  HWY_ALIGN float pairs[kPairs ? kBlock * kLanes : 1];
  for (size_t n = 0; n < p.count;) {
    const size_t rows = n + kBlock <= p.count && p.IsSafe(s, n, kBlock, x.rows) ? kBlock : 1;
    float* out = kPairs ? pairs : pooled.Row(n) + panel * kLanes;
    const size_t stride = kPairs ? kLanes : pooled.stride;
    if (rows == kBlock) {
      ForwardRows<kBlock, kKeep, false>(p, n, out, stride);
    } else {
      ForwardRows<1, kKeep, true>(p, n, out, stride);
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
template <class Panel, bool kKeep, bool kGuarded>
struct Walk {
  using Nodal = typename Panel::Nodal;
  using Pool = typename Panel::Pool;
  static constexpr int kAhead = Pool::kTerms - 1;
  const Panel& p;
  size_t n;
  Lanes delta, share;  // share = delta P_k
  Window<Lanes> z;
  Lanes b, b1, b2;  // slope factors of k, k + 1, k + 2
  HWY_INLINE Walk(const Panel& panel, size_t row, const float* d)
      : p(panel), n(row), delta(Lanes::Load(d)), share(delta), z(), b(0.0), b1(0.0), b2(0.0) {
    for (int k = 0; k < kAhead; ++k) Fetch(static_cast<size_t>(k));
  }
  HWY_INLINE void Fetch(size_t k) {
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
  HWY_INLINE void MoveTo(size_t k) {
    if constexpr (kAhead == 0) {
      b = p.template Get<kKeep, kGuarded>(n, k).b;
    } else {
      Fetch(k + kAhead);
      share = delta * Pool::Grad(z);
    }
  }
};

// dW of one panel from kRows rows: dw_k += delta P_k psi_w.
template <size_t kRows, bool kKeep, bool kGuarded, class Panel>
HWY_INLINE void BackwardRows(const Panel& p, size_t n, const float* delta, size_t stride,
                             float* dw) {
  using Row = Walk<Panel, kKeep, kGuarded>;
  const auto row = [&](size_t r)
                       HWY_ATTR { return Row(p, n + r % kRows, delta + r % kRows * stride); };
  Row rows[4] = {row(0), row(1), row(2), row(3)};
  for (size_t k = 0; k < p.inputs; ++k) {
    const Lanes w = p.W(k);
    Lanes sum = Lanes::Load(dw + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      rows[r].MoveTo(k);
      const Lanes slope = Panel::Nodal::template GradW<kGuarded>(
          p.X(n + r, k), p.Q(n + r, k), w, Factor<Lanes>(rows[r].b, rows[r].b));
      sum = MulAdd(rows[r].share, slope, sum);
    }
    sum.Store(dw + k * kLanes);
  }
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
  const PanelRows<Nodal, Pool, kPairs> p(x, s, panel);
  const size_t stride = kPairs ? kLanes : delta.stride;
  float* sums = s.dw.data();
  std::memset(sums, 0, x.cols * kLanes * sizeof(float));
  for (size_t n = 0; n < p.count;) {
    const float* d = PanelDelta<kPairs>(delta, s, panel, n);
    if (n + kRows <= p.count && p.IsSafe(s, n, kRows, x.rows)) {
      BackwardRows<kRows, kKeep, false>(p, n, d, stride, sums);
      n += kRows;
    } else {
      BackwardRows<1, kKeep, true>(p, n, d, stride, sums);
      ++n;
    }
  }
  UnpackPanel<kPairs>(sums, panel, dw);
}

// dx of row (or pair) n, this panel's part, a lane each: sums_k += delta P_k psi_y.
template <bool kKeep, bool kGuarded, class Panel>
HWY_INLINE void InputSums(const Panel& p, size_t n, const float* delta, float* sums) {
  Walk<Panel, kKeep, kGuarded> row(p, n, delta);
  for (size_t k = 0; k < p.inputs; ++k) {
    row.MoveTo(k);
    const Lanes slope = Panel::Nodal::template GradY<kGuarded>(p.X(n, k), p.Q(n, k), p.W(k),
                                                               Factor<Lanes>(row.b, row.b));
    MulAdd(row.share, slope, Lanes::Load(sums + k * kLanes)).Store(sums + k * kLanes);
  }
}
template <class Nodal, class Pool, bool kKeep, bool kPairs>
HWY_INLINE void PanelInputSums(ConstView x, ConstView delta, size_t panel, size_t n, GopScratch& s,
                               float* sums) {
  const PanelRows<Nodal, Pool, kPairs> p(x, s, panel);
  const float* d = PanelDelta<kPairs>(delta, s, panel, n);
  if (p.IsSafe(s, n, 1, x.rows)) {
    InputSums<kKeep, false>(p, n, d, sums);
  } else {
    InputSums<kKeep, true>(p, n, d, sums);
  }
}

// dx of two rows at a time: full panels each for itself, half a panel for both.
template <class Nodal, class Pool, bool kKeep>
void BackwardInputs(ConstView x, ConstView delta, GopScratch& s, MutView dx) {
  const size_t size = x.cols * kLanes, full = FullPanels(delta.cols);
  float* sums[2] = {s.dw.data(), s.dw.data() + size};
  float* pair = s.dw.data() + 2 * size;
  const auto put = [&](size_t n, size_t k, Lanes v)
                       HWY_ATTR { dx.Row(n)[k] = hn::GetLane(hn::SumOfLanes(Lanes::Tag(), v.v)); };
  for (size_t first = 0; first < x.rows; first += 2) {
    std::memset(s.dw.data(), 0, 3 * size * sizeof(float));
    const size_t rows = first + 1 < x.rows ? 2 : 1;
    for (size_t panel = 0; panel < full; ++panel) {
      for (size_t r = 0; r < rows; ++r)
        PanelInputSums<Nodal, Pool, kKeep, false>(x, delta, panel, first + r, s, sums[r]);
    }
    if constexpr (kHalves) {
      if (full < Panels(delta.cols))
        PanelInputSums<Nodal, Pool, kKeep, true>(x, delta, full, first / 2, s, pair);
    }
    for (size_t k = 0; k < x.cols; ++k) {
      const Lanes both = Lanes::Load(pair + k * kLanes);
      put(first, k, Lanes::Load(sums[0] + k * kLanes) + RowOfPair<0>(both));
      if (rows == 2) put(first + 1, k, Lanes::Load(sums[1] + k * kLanes) + RowOfPair<1>(both));
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
        const float* a = delta.Row(n) + full * kLanes;
        PairRows(a, n + 1 < x.rows ? a + delta.stride : nullptr, kLanes,
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

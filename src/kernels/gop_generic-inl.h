// Kernels for any transcendental nodal operator under a sum of products of neighbours. One neuron
// per lane: inputs are broadcast, weights and results are contiguous, and no pool needs a reduction
// across lanes. Weights are packed in panels [K][lanes] of one register's width, so that a panel
// stays in the first cache level while rows stream past it, kBlock at a time.
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

HWY_INLINE float LargestLane(Lanes v) { return hn::GetLane(hn::MaxOfLanes(Lanes::Tag(), v.v)); }

// Packs every panel of w and notes its largest |w|.
HWY_INLINE void PackWeights(ConstView w, GopScratch& s) {
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    float* packed = s.w.data() + panel * w.rows * kLanes;
    Lanes largest(0.0);
    for (size_t k = 0; k < w.rows; ++k) {
      const Lanes wk = Lanes::Load(w.Row(k) + panel * kLanes);
      wk.Store(packed + k * kLanes);
      largest = Max(largest, Abs(wk));
    }
    s.w_max[panel] = LargestLane(largest);
  }
}
HWY_INLINE void UnpackPanel(const float* packed, size_t panel, MutView w) {
  for (size_t k = 0; k < w.rows; ++k)
    Lanes::Load(packed + k * kLanes).Store(w.Row(k) + panel * kLanes);
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

// May rows n .. n + count - 1 of this panel do without the guard?
template <class Nodal>
HWY_INLINE bool IsSafe(const GopScratch& s, size_t panel, size_t n, size_t count) {
  float q = 0;
  for (size_t r = 0; r < count; ++r) q = s.q_max[n + r] > q ? s.q_max[n + r] : q;
  return s.w_max[panel] * q <= static_cast<float>(Nodal::kSafe);
}

// Factors that the backward pass needs: of a plain sum only those of the slope. They are kept while
// they fit the second cache level or so; beyond, computing them anew is faster than streaming them.
template <class Nodal, class Pool>
inline constexpr size_t kKept = Pool::kTerms > 1 ? Nodal::kFactors : 1;
inline constexpr size_t kKeepBytes = size_t{2} << 20;

template <class Nodal, class Pool>
HWY_INLINE size_t FactorFloats(size_t rows, size_t inputs, size_t units) {
  return Panels(units) * rows * inputs * kKept<Nodal, Pool> * kLanes;
}
template <class Nodal, class Pool>
HWY_INLINE bool KeepsFactors(size_t rows, size_t inputs, size_t units) {
  return FactorFloats<Nodal, Pool>(rows, inputs, units) * sizeof(float) <= kKeepBytes;
}

// One panel and the rows of a batch: where things stand.
template <class Nodal, class Pool>
struct PanelRows {
  ConstView x, q;
  const float* w;      // K x lanes
  float* factors;      // rows x K x kept x lanes
  size_t row_factors;  // floats
  HWY_INLINE PanelRows(ConstView inputs, GopScratch& s, size_t panel)
      : x(inputs),
        q(s.q.view().Rows(0, inputs.rows)),
        w(s.w.data() + panel * inputs.cols * kLanes),
        factors(nullptr),
        row_factors(inputs.cols * kKept<Nodal, Pool> * kLanes) {
    if (s.factors.size() > 0) factors = s.factors.data() + panel * inputs.rows * row_factors;
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
      return Nodal::template Factors<kGuarded>(Lanes::Broadcast(q.Row(n) + k),
                                               Lanes::Load(w + k * kLanes));
    }
    const Lanes b = Lanes::Load(At(n, k));
    if constexpr (kKept < Nodal, Pool >> 1) return {Lanes::Load(At(n, k) + kLanes), b};
    return {b, b};
  }
};

// kRows rows from n on: pools psi over k, keeping the factors if the backward pass will want them.
template <class Nodal, class Pool, size_t kRows, bool kKeep, bool kGuarded>
HWY_INLINE void ForwardRows(const PanelRows<Nodal, Pool>& p, size_t n, float* pooled,
                            size_t stride) {
  typename Pool::template State<Lanes> rho[kRows];
  for (size_t k = 0; k < p.x.cols; ++k) {
    const Lanes w = Lanes::Load(p.w + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      const Factor<Lanes> f =
          Nodal::template Factors<kGuarded>(Lanes::Broadcast(p.q.Row(n + r) + k), w);
      if constexpr (kKeep) p.Store(n + r, k, f);
      rho[r].Add(Nodal::Value(Lanes::Broadcast(p.x.Row(n + r) + k), w, f));
    }
  }
  for (size_t r = 0; r < kRows; ++r) rho[r].Result().Store(pooled + r * stride);
}

template <class Nodal, class Pool, bool kKeep>
void ForwardSums(ConstView x, ConstView w, GopScratch& s, MutView pooled) {
  PrepareInputs<Nodal>(x, s);
  PackWeights(w, s);
  if (kKeep) s.factors.Reserve(FactorFloats<Nodal, Pool>(x.rows, x.cols, w.cols));
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    const PanelRows<Nodal, Pool> p(x, s, panel);
    for (size_t n = 0; n < x.rows;) {
      float* out = pooled.Row(n) + panel * kLanes;
      if (n + kBlock <= x.rows && IsSafe<Nodal>(s, panel, n, kBlock)) {
        ForwardRows<Nodal, Pool, kBlock, kKeep, false>(p, n, out, pooled.stride);
        n += kBlock;
      } else {
        ForwardRows<Nodal, Pool, 1, kKeep, true>(p, n, out, pooled.stride);
        ++n;
      }
    }
  }
}

// Walks one row along k: what z_k contributes, delta P_k, and the factors of its slope. Looks ahead
// as far as P_k does, so that every factor is fetched or computed once.
template <class Nodal, class Pool, bool kKeep, bool kGuarded>
struct Walk {
  static constexpr int kAhead = Pool::kTerms - 1;
  const PanelRows<Nodal, Pool>& p;
  size_t n;
  Lanes delta, share;  // share = delta P_k
  Window<Lanes> z;
  Lanes b, b1, b2;  // slope factors of k, k + 1, k + 2
  HWY_INLINE Walk(const PanelRows<Nodal, Pool>& panel, size_t row, const float* d)
      : p(panel), n(row), delta(Lanes::Load(d)), share(delta), z(), b(0.0), b1(0.0), b2(0.0) {
    for (int k = 0; k < kAhead; ++k) Fetch(static_cast<size_t>(k));
  }
  HWY_INLINE void Fetch(size_t k) {
    b = b1;
    b1 = b2;
    if (k < p.x.cols) {
      const Factor<Lanes> f = p.template Get<kKeep, kGuarded>(n, k);
      (kAhead == 1 ? b1 : b2) = f.b;
      z.template Push<kAhead>(
          Nodal::Value(Lanes::Broadcast(p.x.Row(n) + k), Lanes::Load(p.w + k * kLanes), f));
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
template <size_t kRows, class Nodal, class Pool, bool kKeep, bool kGuarded>
HWY_INLINE void BackwardRows(const PanelRows<Nodal, Pool>& p, size_t n, const float* delta,
                             size_t stride, float* dw) {
  using Row = Walk<Nodal, Pool, kKeep, kGuarded>;
  const auto row = [&](size_t r)
                       HWY_ATTR { return Row(p, n + r % kRows, delta + r % kRows * stride); };
  Row rows[4] = {row(0), row(1), row(2), row(3)};
  for (size_t k = 0; k < p.x.cols; ++k) {
    const Lanes w = Lanes::Load(p.w + k * kLanes);
    Lanes sum = Lanes::Load(dw + k * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      rows[r].MoveTo(k);
      const Lanes slope = Nodal::template GradW<kGuarded>(Lanes::Broadcast(p.x.Row(n + r) + k),
                                                          Lanes::Broadcast(p.q.Row(n + r) + k), w,
                                                          Factor<Lanes>(rows[r].b, rows[r].b));
      sum = MulAdd(rows[r].share, slope, sum);
    }
    sum.Store(dw + k * kLanes);
  }
}

// dx of row n, this panel's part, a lane each: sums_k += delta P_k psi_y.
template <class Nodal, class Pool, bool kKeep, bool kGuarded>
HWY_INLINE void BackwardInputs(const PanelRows<Nodal, Pool>& p, size_t n, const float* delta,
                               float* sums) {
  Walk<Nodal, Pool, kKeep, kGuarded> row(p, n, delta);
  for (size_t k = 0; k < p.x.cols; ++k) {
    row.MoveTo(k);
    const Lanes slope = Nodal::template GradY<kGuarded>(
        Lanes::Broadcast(p.x.Row(n) + k), Lanes::Broadcast(p.q.Row(n) + k),
        Lanes::Load(p.w + k * kLanes), Factor<Lanes>(row.b, row.b));
    MulAdd(row.share, slope, Lanes::Load(sums + k * kLanes)).Store(sums + k * kLanes);
  }
}

template <class Nodal, class Pool, bool kKeep>
void BackwardSumsToInputs(ConstView x, ConstView delta, GopScratch& s, MutView dx) {
  float* sums = s.dw.data();
  for (size_t n = 0; n < x.rows; ++n) {
    std::memset(sums, 0, x.cols * kLanes * sizeof(float));
    for (size_t panel = 0; panel < Panels(delta.cols); ++panel) {
      const PanelRows<Nodal, Pool> p(x, s, panel);
      const float* d = delta.Row(n) + panel * kLanes;
      if (IsSafe<Nodal>(s, panel, n, 1)) {
        BackwardInputs<Nodal, Pool, kKeep, false>(p, n, d, sums);
      } else {
        BackwardInputs<Nodal, Pool, kKeep, true>(p, n, d, sums);
      }
    }
    for (size_t k = 0; k < x.cols; ++k) {
      dx.Row(n)[k] = hn::GetLane(hn::SumOfLanes(Lanes::Tag(), Lanes::Load(sums + k * kLanes).v));
    }
  }
}

template <class Nodal, class Pool, bool kKeep>
void BackwardSums(ConstView x, ConstView delta, GopScratch& s, MutView dw, MutView dx) {
  constexpr size_t kRows = Pool::kTerms > 1 ? kBlock / 2 : kBlock;  // windows need registers
  for (size_t panel = Panels(dw.cols); panel-- > 0;) {  // what was kept last is still in the cache
    const PanelRows<Nodal, Pool> p(x, s, panel);
    float* sums = s.dw.data();
    std::memset(sums, 0, x.cols * kLanes * sizeof(float));
    for (size_t n = 0; n < x.rows;) {
      const float* d = delta.Row(n) + panel * kLanes;
      if (n + kRows <= x.rows && IsSafe<Nodal>(s, panel, n, kRows)) {
        BackwardRows<kRows, Nodal, Pool, kKeep, false>(p, n, d, delta.stride, sums);
        n += kRows;
      } else {
        BackwardRows<1, Nodal, Pool, kKeep, true>(p, n, d, delta.stride, sums);
        ++n;
      }
    }
    UnpackPanel(sums, panel, dw);
  }
  if (dx.data != nullptr) BackwardSumsToInputs<Nodal, Pool, kKeep>(x, delta, s, dx);
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

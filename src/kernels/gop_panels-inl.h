// Panels: how kernels lay out what they read. One neuron per lane: weights are packed in panels
// [K][lanes] of one register's width, so that a panel stays in the first cache level while rows
// stream past it; inputs are prepared once per row and broadcast.
//
// Where at most half of the last panel's lanes would have a neuron (40 neurons in registers of 16),
// it is a half panel: its lanes are those neurons for two rows in turn, and a "row" of it is a
// pair. Sums over rows still add one row after the other.
//
// The results are the same bits for every width of a register. Sums over neurons go by
// linalg/fold-inl.h, and what a panel's largest weight decides, that of 16 neurons decides.
#if defined(GOPNET_KERNELS_GOP_PANELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_KERNELS_GOP_PANELS_INL_H_
#undef GOPNET_KERNELS_GOP_PANELS_INL_H_
#else
#define GOPNET_KERNELS_GOP_PANELS_INL_H_
#endif

#include "kernels/gop.h"
#include "linalg/fold-inl.h"
#include "ops/nodal-inl.h"
#include "ops/pool-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

inline constexpr size_t kLanes = Lanes::Size();
inline size_t Panels(size_t units) { return (units + kLanes - 1) / kLanes; }
inline constexpr bool kHalves = kLanes == 16;
inline bool EndsInHalf(size_t units) {
  return kHalves && units % kLanes > 0 && units % kLanes <= kLanes / 2;
}
inline size_t FullPanels(size_t units) { return Panels(units) - (EndsInHalf(units) ? 1 : 0); }
inline size_t PairCount(size_t rows) { return (rows + 1) / 2; }

// Panels that hold neurons 16 i to 16 i + 15, and the sums over neurons: lane j of them is for
// neurons j, j + 16, ...
using NeuronSums = RowSums<float, kLanePad>;
inline constexpr size_t kParts = NeuronSums::kParts;

// The largest |v|, or NaN if there is one: as integers, the bits of |v| are in that order.
struct Magnitude {
  using Tag = hn::RebindToSigned<Lanes::Tag>;
  hn::Vec<Tag> bits;
  HWY_INLINE Magnitude() : bits(hn::Zero(Tag())) {}
  HWY_INLINE void Add(Lanes v) { bits = hn::Max(bits, hn::BitCast(Tag(), Abs(v).v)); }
  HWY_INLINE float Result() const {
    const int32_t most = FoldLanes<Larger>(Tag(), bits);
    float largest = 0;
    std::memcpy(&largest, &most, sizeof(largest));
    return largest;
  }
};

// Packs every panel of w and notes the largest |w| of every 16 neurons.
HWY_INLINE void PackWeights(ConstView w, bool halves, GopScratch& s) {
  const size_t full = halves ? FullPanels(w.cols) : Panels(w.cols);
  Magnitude largest;
  for (size_t panel = 0; panel < Panels(w.cols); ++panel) {
    if (panel % kParts == 0) largest = Magnitude();
    float* packed = s.w.data() + panel * w.rows * kLanes;
    for (size_t k = 0; k < w.rows; ++k) {
      const Lanes wk = Lanes::Load(w.Row(k) + panel * kLanes);
      if (panel < full) {
        wk.Store(packed + k * kLanes);
      } else {  // the second half is overwritten by the next k
        hn::StoreInterleaved2(wk.v, wk.v, Lanes::Tag(), packed + k * kLanes);
      }
      largest.Add(wk);
    }
    s.w_max[panel / kParts] = largest.Result();
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
    if constexpr (kPairs) v = RowOfPair<0>(v);
    v.Store(w.Row(k) + panel * kLanes);
  }
}

// A register of row n from k on, 0 beyond its end. Reads past the end of a row where other rows
// follow.
HWY_INLINE Lanes LoadRow(ConstView x, size_t n, size_t k) {
  const Lanes::Tag d;
  if (k >= x.cols) return Lanes(0.0);
  const float* from = x.Row(n) + k;
  const size_t left = x.cols - k;
  if (left >= kLanes) return Lanes(hn::LoadU(d, from));
  if (left + (x.rows - 1 - n) * x.stride >= kLanes)
    return Lanes(hn::IfThenElseZero(hn::FirstN(d, left), hn::LoadU(d, from)));
  HWY_ALIGN float rest[kLanes] = {};
  std::memcpy(rest, from, left * sizeof(float));
  return Lanes::Load(rest);
}

// Numbers of rows n and n + 1 in turn; without a second row, zeros. `to` has room for whole
// registers.
HWY_INLINE void PairRows(ConstView x, size_t n, float* to) {
  for (size_t k = 0; k < x.cols; k += kLanes, to += 2 * kLanes) {
    const Lanes second = n + 1 < x.rows ? LoadRow(x, n + 1, k) : Lanes(0.0);
    hn::StoreInterleaved2(LoadRow(x, n, k).v, second.v, Lanes::Tag(), to);
  }
}
HWY_INLINE size_t PairStride(size_t inputs) {
  return 2 * ((inputs + kLanes - 1) / kLanes) * kLanes;
}

HWY_INLINE void PairAll(ConstView x, Buffer<float>& to, size_t stride) {
  to.Reserve(PairCount(x.rows) * stride);
  for (size_t n = 0; n < x.rows; n += 2) PairRows(x, n, to.data() + n / 2 * stride);
}

// to[k] = Input(x(n, k)), aligned, with 0 in the padding (Input(0) = 0 for every operator); returns
// the largest |to[k]|.
template <class Nodal>
HWY_INLINE float PrepareRow(ConstView x, size_t n, float* to) {
  Magnitude largest;
  for (size_t k = 0; k < x.cols; k += kLanes) {
    const Lanes q = Nodal::Input(LoadRow(x, n, k));
    q.Store(to + k);
    largest.Add(q);
  }
  return largest.Result();
}

// q = Input(y) of every row, and the largest |q| of each.
template <class Nodal>
void PrepareInputs(ConstView x, GopScratch& s) {
  const MutView q = Room(s.q, x.rows, x.cols);
  s.q_max.Reserve(x.rows);
  for (size_t n = 0; n < x.rows; ++n) s.q_max[n] = PrepareRow<Nodal>(x, n, q.Row(n));
}

// Factors that the backward pass needs: of a plain sum only those of the slope. They are kept while
// computing them anew is slower than streaming them: with registers of 16 lanes while they fit the
// second cache level or so, with narrower ones longer. Both give the same bits.
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

// Whether factors are kept: known when compiling, or, for the few rows that need the guard, asked
// of the panel. Their functions, which are not inlined, then compile once instead of twice. They
// take the panel by value: were its address known elsewhere, the loops here would read it again
// after every store.
enum class Keep { kNo, kYes, kAsk };
template <bool kKeep>
inline constexpr Keep kKeepOf = kKeep ? Keep::kYes : Keep::kNo;

// One panel and the rows (or pairs) of a batch: where things stand.
template <class N, class P, bool kPairs>
struct PanelRows {
  using Nodal = N;
  using Pool = P;
  static constexpr bool kTwoFactors = kKept<N, P> == 2;
  size_t panel, count, inputs;  // count: rows or pairs
  const float* x;
  const float* q;
  size_t x_stride, q_stride;
  const float* w;      // K x lanes
  float* factors;      // count x K x kept x lanes
  size_t row_factors;  // floats
  bool keeps;
  HWY_INLINE PanelRows(ConstView rows, GopScratch& s, size_t panel_index, bool keeps_factors)
      : panel(panel_index),
        count(kPairs ? PairCount(rows.rows) : rows.rows),
        inputs(rows.cols),
        x(kPairs ? s.pair_x.data() : rows.data),
        q(kPairs ? s.pair_q.data() : s.q.data()),
        x_stride(kPairs ? PairStride(rows.cols) : rows.stride),
        q_stride(kPairs ? PairStride(rows.cols) : s.q.stride()),
        w(s.w.data() + panel_index * rows.cols * kLanes),
        factors(nullptr),
        row_factors(rows.cols * kKept<Nodal, Pool> * kLanes),
        keeps(keeps_factors) {
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
    float largest = 0;
    for (size_t r = kEach * n; r < last; ++r) largest = s.q_max[r] > largest ? s.q_max[r] : largest;
    if constexpr (requires { Nodal::kSafe; }) {
      return s.w_max[panel / kParts] * largest <= static_cast<float>(Nodal::kSafe);
    }
    return false;
  }
  HWY_INLINE float* At(size_t n, size_t k) const {
    return factors + n * row_factors + k * kKept<Nodal, Pool> * kLanes;
  }
  HWY_INLINE void Store(size_t n, size_t k, Factor<Lanes> f) const {
    f.b.Store(At(n, k));
    if constexpr (kTwoFactors) f.a.Store(At(n, k) + kLanes);
  }
  // sum + share slope; of a pair the first row comes before the second, and lanes of the second
  // hold no sum. Without `both` there is no second row.
  static HWY_INLINE Lanes AddRow(Lanes share, Lanes slope, Lanes sum, bool both = true) {
    sum = MulAdd(share, slope, sum);
    if constexpr (kPairs) {
      if (both) sum = MulAdd(Lanes(hn::DupOdd(share.v)), Lanes(hn::DupOdd(slope.v)), sum);
    }
    return sum;
  }
  template <Keep kKeep>
  HWY_INLINE bool Keeps() const {
    return kKeep == Keep::kAsk ? keeps : kKeep == Keep::kYes;
  }
  template <Keep kKeep, bool kGuarded>
  HWY_INLINE Factor<Lanes> Get(size_t n, size_t k) const {
    if (!Keeps<kKeep>()) return Nodal::template Factors<kGuarded>(Q(n, k), W(k));
    const Lanes b = Lanes::Load(At(n, k));
    if constexpr (kTwoFactors) return {Lanes::Load(At(n, k) + kLanes), b};
    return {b, b};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif

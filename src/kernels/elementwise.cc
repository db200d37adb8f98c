#include "kernels/elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "linalg/fold-inl.h"
#include "ops/activation-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

HWY_INLINE Lanes Clip(Lanes x) { return Max(Min(x, Lanes(kPooledClip)), Lanes(-kPooledClip)); }

template <class F>
void ActivateWith(ConstView pooled, const float* bias, MutView a) {
  for (size_t n = 0; n < pooled.rows; ++n) {
    for (size_t j = 0; j < pooled.cols; j += Lanes::Size()) {
      F::Value(Clip(Lanes::Load(pooled.Row(n) + j)) + Lanes::Load(bias + j)).Store(a.Row(n) + j);
    }
  }
}

template <class F>
void ActivateBackwardWith(ConstView pooled, const float* bias, ConstView a, ConstView g,
                          MutView delta, float* db) {
  const Lanes limit(kPooledClip);
  for (size_t j = 0; j < pooled.cols; j += Lanes::Size()) {
    const Lanes b = Lanes::Load(bias + j);
    Lanes sum(0.0);
    for (size_t n = 0; n < pooled.rows; ++n) {
      const Lanes raw = Lanes::Load(pooled.Row(n) + j);
      const Lanes slope = F::Grad(raw + b, Lanes::Load(a.Row(n) + j));
      const Lanes d = Lanes::Load(g.Row(n) + j) * slope;
      sum = sum + d;
      Lanes(hn::IfThenZeroElse(hn::Gt(Abs(raw).v, limit.v), d.v)).Store(delta.Row(n) + j);
    }
    sum.Store(db + j);
  }
}

void ActivateAny(int activation, ConstView pooled, const float* bias, MutView a) {
  VisitAt(ActivationList(), activation, [&]<class F>() { ActivateWith<F>(pooled, bias, a); });
}
void ActivateBackwardAny(int activation, ConstView pooled, const float* bias, ConstView a,
                         ConstView g, MutView delta, float* db) {
  VisitAt(ActivationList(), activation,
          [&]<class F>() { ActivateBackwardWith<F>(pooled, bias, a, g, delta, db); });
}

// Sums in double: a float sum of large activations would lose the small ones.
void ColumnStatisticsAny(ConstView a, float* mean, float* variance) {
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> df;
  const auto inverse = hn::Set(dd, 1.0 / static_cast<double>(a.rows));
  for (size_t j = 0; j < a.cols; j += hn::Lanes(dd)) {
    auto sum = hn::Zero(dd);
    for (size_t n = 0; n < a.rows; ++n)
      sum = hn::Add(sum, hn::PromoteTo(dd, hn::Load(df, a.Row(n) + j)));
    const auto m = hn::Mul(sum, inverse);
    auto squares = hn::Zero(dd);
    for (size_t n = 0; n < a.rows; ++n) {
      const auto diff = hn::Sub(hn::PromoteTo(dd, hn::Load(df, a.Row(n) + j)), m);
      squares = hn::MulAdd(diff, diff, squares);
    }
    hn::Store(hn::DemoteTo(df, m), df, mean + j);
    hn::Store(hn::DemoteTo(df, hn::Mul(squares, inverse)), df, variance + j);
  }
}

HWY_INLINE Lanes InverseDeviation(const float* variance) {
  return Lanes(1.0) / Sqrt(Lanes::Load(variance) + Lanes(kBatchNormEps));
}

void NormalizeAny(ConstView a, const float* mean, const float* variance, const float* gamma,
                  const float* beta, MutView out) {
  for (size_t j = 0; j < a.cols; j += Lanes::Size()) {
    const Lanes m = Lanes::Load(mean + j);
    const Lanes factor = Lanes::Load(gamma + j) * InverseDeviation(variance + j);
    const Lanes shift = Lanes::Load(beta + j);
    for (size_t n = 0; n < a.rows; ++n) {
      MulAdd(Lanes::Load(a.Row(n) + j) - m, factor, shift).Store(out.Row(n) + j);
    }
  }
}

void NormalizeSumsAny(ConstView a, const float* mean, const float* variance, ConstView g,
                      float* dgamma, float* dbeta) {
  for (size_t j = 0; j < a.cols; j += Lanes::Size()) {
    const Lanes m = Lanes::Load(mean + j);
    const Lanes inverse = InverseDeviation(variance + j);
    Lanes sum(0.0), dot(0.0);
    for (size_t n = 0; n < a.rows; ++n) {
      const Lanes gn = Lanes::Load(g.Row(n) + j);
      sum = sum + gn;
      dot = MulAdd(gn, (Lanes::Load(a.Row(n) + j) - m) * inverse, dot);
    }
    sum.Store(dbeta + j);
    dot.Store(dgamma + j);
  }
}

// da = gamma / (n s) (n g - dbeta - xh dgamma), xh = (a - m) / s, s = sqrt(v + eps)
void NormalizeBackwardAny(ConstView a, const float* mean, const float* variance, const float* gamma,
                          const float* dgamma, const float* dbeta, size_t batch, ConstView g,
                          MutView da) {
  const Lanes inverse_rows(1.0 / static_cast<double>(batch));
  for (size_t j = 0; j < a.cols; j += Lanes::Size()) {
    const Lanes m = Lanes::Load(mean + j);
    const Lanes inverse = InverseDeviation(variance + j);
    const Lanes factor = Lanes::Load(gamma + j) * inverse;
    const Lanes mean_sum = Lanes::Load(dbeta + j) * inverse_rows;
    const Lanes mean_dot = Lanes::Load(dgamma + j) * inverse_rows * inverse;
    for (size_t n = 0; n < a.rows; ++n) {
      const Lanes centred = Lanes::Load(a.Row(n) + j) - m;
      const Lanes rest = Lanes::Load(g.Row(n) + j) - mean_sum - centred * mean_dot;
      (factor * rest).Store(da.Row(n) + j);
    }
  }
}

// A 32-bit integer hash (two rounds of xor-shift and multiply) of the element's number under the
// key; its halves decide for two rows. Masks need no cryptography, only speed and no visible
// pattern; the key of every step comes from a Philox stream.
void DropoutMaskAny(uint64_t key, double rate, MutView mask, size_t first_row) {
  const hn::ScalableTag<uint32_t> du;
  const hn::ScalableTag<int32_t> di;
  const hn::ScalableTag<float> df;
  const auto low = hn::Set(du, static_cast<uint32_t>(key));
  const auto high = hn::Set(du, static_cast<uint32_t>(key >> 32));
  const auto threshold = hn::Set(di, static_cast<int32_t>(rate * 0x1p16));
  const auto keep = hn::Set(df, static_cast<float>(1.0 / (1.0 - rate)));
  const auto numbers = hn::Add(hn::BitCast(du, LaneNumbers()), low);
  for (size_t n = 0; n < mask.rows; n += 2) {
    float* even = mask.Row(n);
    float* odd = n + 1 < mask.rows ? mask.Row(n + 1) : even;
    for (size_t j = 0; j < mask.cols; j += hn::Lanes(du)) {
      auto h =
          hn::Add(numbers, hn::Set(du, static_cast<uint32_t>((first_row + n) / 2 * mask.cols + j)));
      h = hn::Mul(hn::Xor(h, hn::ShiftRight<16>(h)), hn::Set(du, 0x7feb352du));
      h = hn::Add(hn::Xor(h, hn::ShiftRight<15>(h)), high);
      h = hn::Mul(h, hn::Set(du, 0x846ca68bu));
      h = hn::Xor(h, hn::ShiftRight<16>(h));
      const auto first = hn::BitCast(di, hn::And(h, hn::Set(du, 0xFFFFu)));
      const auto second = hn::BitCast(di, hn::ShiftRight<16>(h));
      const auto drop_second = hn::RebindMask(df, hn::Gt(threshold, second));
      const auto drop_first = hn::RebindMask(df, hn::Gt(threshold, first));
      hn::Store(hn::IfThenZeroElse(drop_second, keep), df, odd + j);
      hn::Store(hn::IfThenZeroElse(drop_first, keep), df, even + j);
    }
  }
}

void MultiplyAny(ConstView a, ConstView mask, MutView out) {
  const hn::ScalableTag<float> d;
  for (size_t n = 0; n < a.rows; ++n) {
    size_t j = 0;
    for (; j + hn::Lanes(d) <= a.cols; j += hn::Lanes(d)) {
      hn::StoreU(hn::Mul(hn::LoadU(d, a.Row(n) + j), hn::LoadU(d, mask.Row(n) + j)), d,
                 out.Row(n) + j);
    }
    for (; j < a.cols; ++j) out.Row(n)[j] = a.Row(n)[j] * mask.Row(n)[j];
  }
}

void AdamAny(const AdamStep& step, const float* gradient, size_t size, float* m, float* v,
             float* parameters) {
  const Lanes rate(step.rate), b1(step.beta1), b2(step.beta2), eps(step.eps);
  const Lanes c1 = Lanes(1.0) - b1, c2 = Lanes(1.0) - b2;
  for (size_t i = 0; i < size; i += Lanes::Size()) {
    const Lanes g = Lanes::Load(gradient + i);
    const Lanes first = MulAdd(b1, Lanes::Load(m + i), c1 * g);
    const Lanes second = MulAdd(b2, Lanes::Load(v + i), c2 * (g * g));
    first.Store(m + i);
    second.Store(v + i);
    (Lanes::Load(parameters + i) - rate * first / (Sqrt(second) + eps)).Store(parameters + i);
  }
}

void AddDecayAny(float decay, const float* w, size_t size, float* gradient) {
  const Lanes twice(2.0 * static_cast<double>(decay));
  for (size_t i = 0; i < size; i += Lanes::Size()) {
    MulAdd(twice, Lanes::Load(w + i), Lanes::Load(gradient + i)).Store(gradient + i);
  }
}

void MaxNormAny(float limit, MutView w, float* factors) {
  bool any = false;
  for (size_t j = 0; j < w.cols; j += Lanes::Size()) {
    Lanes squares(0.0);
    for (size_t k = 0; k < w.rows; ++k) {
      const Lanes x = Lanes::Load(w.Row(k) + j);
      squares = MulAdd(x, x, squares);
    }
    const Lanes factor = Min(Lanes(1.0), Lanes(limit) / (Sqrt(squares) + Lanes(1e-7)));
    factor.Store(factors + j);
    any = any || !hn::AllTrue(Lanes::Tag(), hn::Eq(factor.v, hn::Set(Lanes::Tag(), 1.0f)));
  }
  if (!any) return;
  for (size_t k = 0; k < w.rows; ++k) {
    for (size_t j = 0; j < w.cols; j += Lanes::Size()) {
      (Lanes::Load(w.Row(k) + j) * Lanes::Load(factors + j)).Store(w.Row(k) + j);
    }
  }
}

void ColumnSumsAny(ConstView a, float* sums) {
  for (size_t j = 0; j < a.cols; j += Lanes::Size()) {
    Lanes sum(0.0);
    for (size_t n = 0; n < a.rows; ++n) sum = sum + Lanes::Load(a.Row(n) + j);
    sum.Store(sums + j);
  }
}

void AddToAny(const float* values, size_t size, float* sums) {
  for (size_t i = 0; i < size; i += Lanes::Size())
    (Lanes::Load(sums + i) + Lanes::Load(values + i)).Store(sums + i);
}

double SquaredNormAny(const float* values, size_t size) {  // in double, which cannot overflow
  using Sums = RowSums<double, kLanePad>;
  const Sums::D dd;
  const hn::Rebind<float, Sums::D> df;
  Sums sums(0);
  for (size_t i = 0; i < size; i += kLanePad) {
    for (size_t p = 0; p < Sums::kParts; ++p) {
      const auto x = hn::PromoteTo(dd, hn::Load(df, values + i + p * Sums::kLanes));
      sums.part[p] = hn::MulAdd(x, x, sums.part[p]);
    }
  }
  return sums.Fold<Plus>();
}

// 0 x is 0 for every finite number and NaN for the rest.
bool AllFiniteAny(const float* values, size_t size) {
  Lanes sum(0.0);
  for (size_t i = 0; i < size; i += Lanes::Size())
    sum = MulAdd(Lanes::Load(values + i), Lanes(0.0), sum);
  return hn::AllTrue(Lanes::Tag(), hn::Eq(sum.v, hn::Zero(Lanes::Tag())));
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gopnet {
HWY_EXPORT(ActivateAny);
HWY_EXPORT(ActivateBackwardAny);
HWY_EXPORT(ColumnStatisticsAny);
HWY_EXPORT(NormalizeAny);
HWY_EXPORT(NormalizeSumsAny);
HWY_EXPORT(NormalizeBackwardAny);
HWY_EXPORT(DropoutMaskAny);
HWY_EXPORT(MultiplyAny);
HWY_EXPORT(AdamAny);
HWY_EXPORT(AddDecayAny);
HWY_EXPORT(MaxNormAny);
HWY_EXPORT(ColumnSumsAny);
HWY_EXPORT(AddToAny);
HWY_EXPORT(SquaredNormAny);
HWY_EXPORT(AllFiniteAny);

void Activate(int activation, ConstView pooled, const float* bias, MutView a) {
  HWY_DYNAMIC_DISPATCH(ActivateAny)(activation, pooled, bias, a);
}
void ActivateBackward(int activation, ConstView pooled, const float* bias, ConstView a, ConstView g,
                      MutView delta, float* db) {
  HWY_DYNAMIC_DISPATCH(ActivateBackwardAny)(activation, pooled, bias, a, g, delta, db);
}
void ColumnStatistics(ConstView a, float* mean, float* variance) {
  HWY_DYNAMIC_DISPATCH(ColumnStatisticsAny)(a, mean, variance);
}
void Normalize(ConstView a, const float* mean, const float* variance, const float* gamma,
               const float* beta, MutView out) {
  HWY_DYNAMIC_DISPATCH(NormalizeAny)(a, mean, variance, gamma, beta, out);
}
void NormalizeSums(ConstView a, const float* mean, const float* variance, ConstView g,
                   float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(NormalizeSumsAny)(a, mean, variance, g, dgamma, dbeta);
}
void NormalizeBackward(ConstView a, const float* mean, const float* variance, const float* gamma,
                       const float* dgamma, const float* dbeta, size_t batch, ConstView g,
                       MutView da) {
  HWY_DYNAMIC_DISPATCH(NormalizeBackwardAny)
  (a, mean, variance, gamma, dgamma, dbeta, batch, g, da);
}
void DropoutMask(uint64_t key, double rate, MutView mask, size_t first_row) {
  HWY_DYNAMIC_DISPATCH(DropoutMaskAny)(key, rate, mask, first_row);
}
void Multiply(ConstView a, ConstView mask, MutView out) {
  HWY_DYNAMIC_DISPATCH(MultiplyAny)(a, mask, out);
}
void Adam(const AdamStep& step, const float* gradient, size_t size, float* m, float* v,
          float* parameters) {
  HWY_DYNAMIC_DISPATCH(AdamAny)(step, gradient, size, m, v, parameters);
}
void AddDecay(float decay, const float* w, size_t size, float* gradient) {
  HWY_DYNAMIC_DISPATCH(AddDecayAny)(decay, w, size, gradient);
}
void MaxNorm(float limit, MutView w, float* scratch) {
  HWY_DYNAMIC_DISPATCH(MaxNormAny)(limit, w, scratch);
}
void ColumnSums(ConstView a, float* sums) { HWY_DYNAMIC_DISPATCH(ColumnSumsAny)(a, sums); }

void AddTo(const float* values, size_t size, float* sums) {
  HWY_DYNAMIC_DISPATCH(AddToAny)(values, size, sums);
}
bool AllFinite(const float* values, size_t size) {
  return HWY_DYNAMIC_DISPATCH(AllFiniteAny)(values, size);
}

double SquaredNorm(const float* values, size_t size) {
  return HWY_DYNAMIC_DISPATCH(SquaredNormAny)(values, size);
}

void Scale(float factor, size_t size, float* values) {
  for (size_t i = 0; i < size; ++i) values[i] *= factor;
}

}  // namespace gopnet
#endif

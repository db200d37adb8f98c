#include "kernels/elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
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

template <int kIndex = 0>
void ActivateIndexed(int activation, ConstView pooled, const float* bias, MutView a) {
  if constexpr (kIndex < ActivationList::kSize) {
    if (activation != kIndex) return ActivateIndexed<kIndex + 1>(activation, pooled, bias, a);
    ActivateWith<ActivationList::At<kIndex>>(pooled, bias, a);
  }
}
template <int kIndex = 0>
void ActivateBackwardIndexed(int activation, ConstView pooled, const float* bias, ConstView a,
                             ConstView g, MutView delta, float* db) {
  if constexpr (kIndex < ActivationList::kSize) {
    if (activation != kIndex) {
      return ActivateBackwardIndexed<kIndex + 1>(activation, pooled, bias, a, g, delta, db);
    }
    ActivateBackwardWith<ActivationList::At<kIndex>>(pooled, bias, a, g, delta, db);
  }
}
void ActivateAny(int activation, ConstView pooled, const float* bias, MutView a) {
  ActivateIndexed(activation, pooled, bias, a);
}
void ActivateBackwardAny(int activation, ConstView pooled, const float* bias, ConstView a,
                         ConstView g, MutView delta, float* db) {
  ActivateBackwardIndexed(activation, pooled, bias, a, g, delta, db);
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

// da = gamma / (n s) (n g - dbeta - xh dgamma), xh = (a - m) / s, s = sqrt(v + eps)
void NormalizeBackwardAny(ConstView a, const float* mean, const float* variance, const float* gamma,
                          ConstView g, MutView da, float* dgamma, float* dbeta) {
  const Lanes inverse_rows(1.0 / static_cast<double>(a.rows));
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
    const Lanes factor = Lanes::Load(gamma + j) * inverse;
    const Lanes mean_sum = sum * inverse_rows;
    const Lanes mean_dot = dot * inverse_rows * inverse;
    for (size_t n = 0; n < a.rows; ++n) {
      const Lanes centred = Lanes::Load(a.Row(n) + j) - m;
      const Lanes rest = Lanes::Load(g.Row(n) + j) - mean_sum - centred * mean_dot;
      (factor * rest).Store(da.Row(n) + j);
    }
  }
}

// A 32-bit integer hash (two rounds of xor-shift and multiply) of the element's number under the
// key. Masks need no cryptography, only speed and no visible pattern; the key of every step comes
// from a Philox stream.
void DropoutMaskAny(uint64_t key, double rate, MutView mask) {
  const hn::ScalableTag<uint32_t> du;
  const hn::ScalableTag<float> df;
  const auto low = hn::Set(du, static_cast<uint32_t>(key));
  const auto high = hn::Set(du, static_cast<uint32_t>(key >> 32) | 1u);
  const auto threshold = hn::Set(du, static_cast<uint32_t>(rate * 0x1p31));
  const auto keep = hn::Set(df, static_cast<float>(1.0 / (1.0 - rate)));
  for (size_t n = 0; n < mask.rows; ++n) {
    for (size_t j = 0; j < mask.cols; j += hn::Lanes(du)) {
      const auto number = hn::Iota(du, static_cast<uint32_t>(n * mask.cols + j));
      auto h = hn::Add(hn::Mul(number, high), low);
      h = hn::Mul(hn::Xor(h, hn::ShiftRight<16>(h)), hn::Set(du, 0x7feb352du));
      h = hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), hn::Set(du, 0x846ca68bu));
      h = hn::Xor(h, hn::ShiftRight<16>(h));
      const hn::RebindToSigned<decltype(du)>
          di;  // compare as signed 31-bit numbers: every target can
      const auto dropped =
          hn::Gt(hn::BitCast(di, threshold), hn::BitCast(di, hn::ShiftRight<1>(h)));
      hn::Store(hn::IfThenZeroElse(hn::RebindMask(df, dropped), keep), df, mask.Row(n) + j);
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

// One row in place to e^(x - max); returns their sum and the maximum. Padding lanes are left at 0.
struct RowExp {
  float max, sum;
  HWY_INLINE RowExp(float* row, size_t cols) : max(row[0]), sum(0) {
    const hn::ScalableTag<float> d;
    const size_t lanes = hn::Lanes(d);
    const size_t whole = cols / lanes * lanes;
    auto top = hn::Set(d, row[0]);
    for (size_t j = 0; j < whole; j += lanes) top = hn::Max(top, hn::Load(d, row + j));
    max = hn::GetLane(hn::MaxOfLanes(d, top));
    for (size_t j = whole; j < cols; ++j) max = row[j] > max ? row[j] : max;
    Lanes total(0.0);
    for (size_t j = 0; j < cols; j += lanes) {
      Lanes e = Exp(Max(Lanes::Load(row + j) - Lanes(hn::Set(d, max)), Lanes(-87.0)));
      if (j + lanes > cols) e = Lanes(hn::IfThenElseZero(hn::FirstN(d, cols - j), e.v));
      e.Store(row + j);
      total = total + e;
    }
    sum = hn::GetLane(hn::SumOfLanes(d, total.v));
  }
};

double SoftmaxCrossEntropyAny(MutView logits, const int32_t* labels, const float* weights,
                              double total) {
  double loss = 0;
  for (size_t n = 0; n < logits.rows; ++n) {
    float* row = logits.Row(n);
    const auto label = static_cast<size_t>(labels[n]);
    const float target = row[label];
    const RowExp e(row, logits.cols);
    const double weight = weights ? weights[n] : 1.0;
    loss += weight * (std::log(static_cast<double>(e.sum)) + static_cast<double>(e.max) -
                      static_cast<double>(target));
    const auto scale = static_cast<float>(weight / total);
    const Lanes factor(static_cast<double>(scale / e.sum));
    for (size_t j = 0; j < logits.cols; j += Lanes::Size())
      (Lanes::Load(row + j) * factor).Store(row + j);
    row[label] -= scale;
  }
  return loss;
}

void SoftmaxAny(MutView logits) {
  for (size_t n = 0; n < logits.rows; ++n) {
    float* row = logits.Row(n);
    const RowExp e(row, logits.cols);
    const Lanes factor(1.0 / static_cast<double>(e.sum));
    for (size_t j = 0; j < logits.cols; j += Lanes::Size())
      (Lanes::Load(row + j) * factor).Store(row + j);
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

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gopnet {
HWY_EXPORT(ActivateAny);
HWY_EXPORT(ActivateBackwardAny);
HWY_EXPORT(ColumnStatisticsAny);
HWY_EXPORT(NormalizeAny);
HWY_EXPORT(NormalizeBackwardAny);
HWY_EXPORT(DropoutMaskAny);
HWY_EXPORT(MultiplyAny);
HWY_EXPORT(SoftmaxCrossEntropyAny);
HWY_EXPORT(SoftmaxAny);
HWY_EXPORT(AdamAny);
HWY_EXPORT(AddDecayAny);
HWY_EXPORT(MaxNormAny);
HWY_EXPORT(ColumnSumsAny);

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
void NormalizeBackward(ConstView a, const float* mean, const float* variance, const float* gamma,
                       ConstView g, MutView da, float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(NormalizeBackwardAny)(a, mean, variance, gamma, g, da, dgamma, dbeta);
}
void DropoutMask(uint64_t key, double rate, MutView mask) {
  HWY_DYNAMIC_DISPATCH(DropoutMaskAny)(key, rate, mask);
}
void Multiply(ConstView a, ConstView mask, MutView out) {
  HWY_DYNAMIC_DISPATCH(MultiplyAny)(a, mask, out);
}
double SoftmaxCrossEntropy(MutView logits, const int32_t* labels, const float* weights,
                           double total) {
  return HWY_DYNAMIC_DISPATCH(SoftmaxCrossEntropyAny)(logits, labels, weights, total);
}
void Softmax(MutView logits) { HWY_DYNAMIC_DISPATCH(SoftmaxAny)(logits); }
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

double SquaredError(MutView out, ConstView targets, const float* weights, double total) {
  double loss = 0;
  const double cols = static_cast<double>(out.cols);
  for (size_t n = 0; n < out.rows; ++n) {
    const double weight = weights ? weights[n] : 1.0;
    double squares = 0;
    for (size_t j = 0; j < out.cols; ++j) {
      const double error =
          static_cast<double>(out.Row(n)[j]) - static_cast<double>(targets.Row(n)[j]);
      squares += error * error;
      out.Row(n)[j] = static_cast<float>(2 * weight * error / (total * cols));
    }
    loss += weight * squares / cols;
  }
  return loss;
}

double SquaredNorm(const float* values, size_t size) {
  double sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

void Scale(float factor, size_t size, float* values) {
  for (size_t i = 0; i < size; ++i) values[i] *= factor;
}

}  // namespace gopnet
#endif

#include "kernels/loss.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/loss.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "linalg/fold-inl.h"
#include "ops/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

// x in the lanes that a row of `cols` values has from j on, `other` in those beyond.
HWY_INLINE Lanes InRow(Lanes x, size_t j, size_t cols, Lanes other) {
  if (j + Lanes::Size() <= cols) return x;
  return Lanes(hn::IfThenElse(hn::FirstN(Lanes::Tag(), cols - j), x.v, other.v));
}

using Sums = RowSums<float, kLanePad>;  // of a row

HWY_INLINE Lanes RowMax(const float* row, size_t cols) {  // in every lane
  Sums top(-3e38f);
  size_t j = 0;
  for (; j + kLanePad <= cols; j += kLanePad) {
    for (size_t p = 0; p < Sums::kParts; ++p)
      top.part[p] = Max(top.part[p], Lanes::Load(row + j + p * Lanes::Size())).v;
  }
  for (size_t p = 0; p < Sums::kParts; ++p) {
    const size_t at = j + p * Lanes::Size();
    const Lanes before(top.part[p]);
    if (at < cols) top.part[p] = Max(before, InRow(Lanes::Load(row + at), at, cols, before)).v;
  }
  const float largest = top.Fold<Larger>();
  return Lanes::Broadcast(&largest);
}

void ArgMaxRowsAny(ConstView a, int32_t* columns) {
  const Lanes::Tag d;
  for (size_t n = 0; n < a.rows; ++n) {
    const Lanes top = RowMax(a.Row(n), a.cols);
    columns[n] = 0;  // of a row of NaN
    for (size_t j = 0; j < a.cols; j += Lanes::Size()) {
      const intptr_t at = hn::FindFirstTrue(d, hn::Eq(Lanes::Load(a.Row(n) + j).v, top.v));
      if (at < 0) continue;
      columns[n] = static_cast<int32_t>(j) + static_cast<int32_t>(at);
      break;
    }
  }
}

// One row in place to e^(x - max), with their sum and the maximum. Padding lanes are left at 0.
struct RowExp {
  Lanes max, sum;  // in every lane
  HWY_INLINE RowExp(float* row, size_t cols) : max(RowMax(row, cols)), sum(0.0) {
    Sums sums(0);
    for (size_t first = 0; first < cols; first += kLanePad) {
      for (size_t p = 0; p < Sums::kParts; ++p) {
        const size_t j = first + p * Lanes::Size();
        if (j >= cols) continue;
        Lanes e = Exp(Max(Lanes::Load(row + j) - max, Lanes(-87.0)));
        e = InRow(e, j, cols, Lanes(0.0));
        e.Store(row + j);
        sums.part[p] = hn::Add(sums.part[p], e.v);
      }
    }
    const float all = sums.Fold<Plus>();
    sum = Lanes::Broadcast(&all);
  }
};

// Adds weight (log sum + gap) of up to kLanes rows to the loss, one after the other.
HWY_INLINE void AddLosses(const float* sums, const float* gaps, const float* weights, size_t count,
                          double& loss) {
  HWY_ALIGN float losses[Lanes::Size()];
  MulAdd(Log2(Lanes::Load(sums)), Lanes(kLn2), Lanes::Load(gaps)).Store(losses);
  for (size_t i = 0; i < count; ++i)
    loss += static_cast<double>(weights ? weights[i] : 1.0f) * static_cast<double>(losses[i]);
}

double SoftmaxCrossEntropyAny(MutView logits, const int32_t* labels, const float* weights,
                              double total) {
  HWY_ALIGN float sums[Lanes::Size()];
  HWY_ALIGN float gaps[Lanes::Size()];
  double loss = 0;
  for (size_t n = 0; n < logits.rows; ++n) {
    const size_t lane = n % Lanes::Size();
    float* row = logits.Row(n);
    const auto label = static_cast<size_t>(labels[n]);
    const float target = row[label];
    const RowExp e(row, logits.cols);
    sums[lane] = hn::GetLane(e.sum.v);
    gaps[lane] = hn::GetLane(e.max.v) - target;
    const float scale =
        static_cast<float>((weights ? static_cast<double>(weights[n]) : 1.0) / total);
    const Lanes factor = Lanes(static_cast<double>(scale)) / e.sum;
    for (size_t j = 0; j < logits.cols; j += Lanes::Size())
      (Lanes::Load(row + j) * factor).Store(row + j);
    row[label] -= scale;
    if (lane + 1 < Lanes::Size() && n + 1 < logits.rows) continue;
    for (size_t i = lane + 1; i < Lanes::Size(); ++i) sums[i] = 1, gaps[i] = 0;
    AddLosses(sums, gaps, weights ? weights + n - lane : nullptr, lane + 1, loss);
  }
  return loss;
}

void SoftmaxAny(MutView logits) {
  for (size_t n = 0; n < logits.rows; ++n) {
    float* row = logits.Row(n);
    const Lanes factor = Lanes(1.0) / RowExp(row, logits.cols).sum;
    for (size_t j = 0; j < logits.cols; j += Lanes::Size())
      (Lanes::Load(row + j) * factor).Store(row + j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gopnet {
HWY_EXPORT(SoftmaxCrossEntropyAny);
HWY_EXPORT(SoftmaxAny);
HWY_EXPORT(ArgMaxRowsAny);

double SoftmaxCrossEntropy(MutView logits, const int32_t* labels, const float* weights,
                           double total) {
  return HWY_DYNAMIC_DISPATCH(SoftmaxCrossEntropyAny)(logits, labels, weights, total);
}
void Softmax(MutView logits) { HWY_DYNAMIC_DISPATCH(SoftmaxAny)(logits); }
void ArgMaxRows(ConstView a, int32_t* columns) { HWY_DYNAMIC_DISPATCH(ArgMaxRowsAny)(a, columns); }

}  // namespace gopnet
#endif

// The rest of a training step, vectorised: activation, batch norm, dropout, optimiser. Every
// view is aligned and padded (Mat); padding lanes are kept at 0 so that gradients of absent neurons
// stay 0.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mat.h"

namespace gopnet {

inline constexpr double kPooledClip = 1e6;     // pooled values beyond it are cut, with gradient 0
inline constexpr double kBatchNormEps = 1e-3;  // as in Keras, which the authors' library used

// a = f(clip(pooled) + bias), bias padded.
void Activate(int activation, ConstView pooled, const float* bias, MutView a);
// delta = g f'(x), 0 where pooled was clipped; db = column sums of g f'(x), clipped rows included.
void ActivateBackward(int activation, ConstView pooled, const float* bias, ConstView a, ConstView g,
                      MutView delta, float* db);

// Batch statistics in double, rounded once: mean and biased variance of each column.
void ColumnStatistics(ConstView a, float* mean, float* variance);
// out = gamma (a - mean) / sqrt(variance + eps) + beta
void Normalize(ConstView a, const float* mean, const float* variance, const float* gamma,
               const float* beta, MutView out);
// Backward through batch statistics, g = dLoss/dout. First the sums over the rows of a batch, or of
// a part of it: dbeta = sum g, dgamma = sum g (a - mean) / s; then, with the sums over all `batch`
// rows, da = dLoss/da (may be g itself).
void NormalizeSums(ConstView a, const float* mean, const float* variance, ConstView g,
                   float* dgamma, float* dbeta);
void NormalizeBackward(ConstView a, const float* mean, const float* variance, const float* gamma,
                       const float* dgamma, const float* dbeta, size_t batch, ConstView g,
                       MutView da);

// Multipliers of inverted dropout: 0 with probability `rate` (in steps of 2^-16), else
// 1 / (1 - rate), from a 64-bit key. mask: the rows from first_row (even) on of a larger mask.
void DropoutMask(uint64_t key, double rate, MutView mask, size_t first_row = 0);
// out = a * mask over cols columns of both, out padding untouched.
void Multiply(ConstView a, ConstView mask, MutView out);

struct AdamStep {
  float rate;  // learning rate with the bias correction of this step folded in
  float beta1 = 0.9f, beta2 = 0.999f, eps = 1e-7f;
};
void Adam(const AdamStep& step, const float* gradient, size_t size, float* m, float* v,
          float* parameters);
// gradient += 2 decay w
void AddDecay(float decay, const float* w, size_t size, float* gradient);
// Scales the columns of w (incoming weights of a neuron) to norm <= limit. scratch: Pad(cols)
// floats.
void MaxNorm(float limit, MutView w, float* scratch);
void ColumnSums(ConstView a, float* sums);
void AddTo(const float* values, size_t size, float* sums);  // sums += values
// Over whole registers: size is padded.
double SquaredNorm(const float* values, size_t size);
bool AllFinite(const float* values, size_t size);
void Scale(float factor, size_t size, float* values);

}  // namespace gopnet

// Losses and what becomes of outputs. Every view is aligned and padded (Mat); padding is kept at 0.
#pragma once

#include <cstdint>

#include "base/mat.h"

namespace gopnet {

// Softmax cross-entropy on logits, in place: logits become dLoss/dlogits = weight (p - t) / total,
// padding 0. Returns the weighted sum of losses. weights may be null (all 1).
double SoftmaxCrossEntropy(MutView logits, const int32_t* labels, const float* weights,
                           double total);
// Rows become probabilities.
void Softmax(MutView logits);

// Column of the largest value of each row; of equal ones the first.
void ArgMaxRows(ConstView a, int32_t* columns);

}  // namespace gopnet

// Rows in the order of the probability of one class: the areas under the ROC and the
// precision-recall curve.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mat.h"

namespace gopnet {

// NaN where one side has no rows.
struct Ranking {
  double area = 0;               // under the ROC curve
  double average_precision = 0;  // under the precision-recall curve, as a step function
};

// The rows that can be ranked: their label is known (not -1) and their scores are finite.
std::vector<uint32_t> RankedRows(ConstView scores, const std::vector<int32_t>& labels);

// Ranks these rows, which it sorts, by one column: those of class `column` against the others.
// weights: empty for all 1.
Ranking Rank(ConstView scores, size_t column, const std::vector<int32_t>& labels,
             const std::vector<float>& weights, std::vector<uint32_t>& rows);

}  // namespace gopnet

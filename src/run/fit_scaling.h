// Fits the scaling of features and targets to training rows.
#pragma once

#include <functional>
#include <vector>

#include "model/scaling.h"
#include "train/config.h"

namespace gopnet {

using ValueAt = std::function<double(size_t row, size_t column)>;

// Of the given rows. standard: mean and deviation; robust: median and quartiles, far values drawn
// in; quantile: the value of a normal distribution with the same rank; automatic: robust for
// columns with heavy tails, standard for the others. A constant column has scale 1.
Scaling FitScaling(ScaleChoice choice, size_t columns, const std::vector<size_t>& rows,
                   const ValueAt& value);

// From the smallest to the largest value of every column: 0.1 to 0.9, where a sigmoid has slope.
Scaling UnitScaling(size_t columns, const std::vector<size_t>& rows, const ValueAt& value);

}  // namespace gopnet

// Names data by their content, so that a run or a comparison goes on with the rows it began with.
#pragma once

#include <string>

#include "gopnet/train.h"
#include "run/prepare.h"

namespace gopnet {

// 32 hex digits of features, labels or targets and weights. Any order of the rows gives the same.
std::string Fingerprint(const TrainData& data);

// Of rows as training sees them, in canonical order, and all that the model takes from them
// (scaling, classes, columns).
std::string RowsFingerprint(const Prepared& p);

}  // namespace gopnet

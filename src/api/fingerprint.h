// Names data by their content, so that a comparison goes on with the rows it began with.
#pragma once

#include <string>

#include "gopnet/train.h"

namespace gopnet {

// 32 hex digits of features, labels or targets and weights. Any order of the rows gives the same.
std::string Fingerprint(const TrainData& data);

}  // namespace gopnet

// Orders rows by content, not by position in the file, so that training on shuffled rows gives the
// same network.
#pragma once

#include <vector>

#include "gopnet/dataset.h"

namespace gopnet {

// Sorts rows by the hash of features, label text or targets, and weight; equal hashes by content.
// Leaves out rows of weight 0.
std::vector<size_t> CanonicalOrder(const Dataset& data);

}  // namespace gopnet

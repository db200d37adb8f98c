// An order of the rows that depends on what is in them, not on where they stand in the file, so
// that training on shuffled rows gives the same network.
#pragma once

#include <vector>

#include "gopnet/dataset.h"

namespace gopnet {

// Rows by hash of features, label text or targets, and weight; equal hashes by content. Rows of
// weight 0 are left out: they count as not being there.
std::vector<size_t> CanonicalOrder(const Dataset& data);

}  // namespace gopnet

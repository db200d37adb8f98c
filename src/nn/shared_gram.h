// X^T X of many rows on all threads and, where that pays, on all ranks: summed over shards of the
// rows, each by one thread, and then over the shards in their order. The shards depend on the
// number of rows only, so the sum is the same whoever computes it.
#pragma once

#include "linalg/gram.h"
#include "nn/runtime.h"

namespace gopnet {

// 1 up to 16,384 rows, 16 at most: a rank that gets the sums of the others gets no more than that.
size_t GramShards(size_t rows);

// layer: of the memory that it is for; names the shards among the work that ranks share.
DenseMatrix SharedGram(Runtime& rt, size_t layer, const Columns& a);

}  // namespace gopnet

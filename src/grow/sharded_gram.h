// X^T X of many rows on all threads: summed over shards of the rows, each by one thread, and then
// over the shards in their order. The shards depend on the number of rows only, so the sum is the
// same for any number of threads.
#pragma once

#include "linalg/gram.h"

namespace gopnet {

size_t GramShards(size_t rows);  // 1 up to 16,384 rows, 16 at most

DenseMatrix ShardedGram(const Columns& a, int threads);

}  // namespace gopnet

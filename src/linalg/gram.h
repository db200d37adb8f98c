// Products of the columns of float matrices, summed in double, over threads. An element is the sum
// over the rows in their order whoever computes it: results are the same for any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "base/mat.h"

namespace gopnet {

// Columns as a least-squares solver sees them: row n of the matrix is
// sqrt(w_n) (x(n, j) - mean_j) / scale_j. x may be any view, its rows need no padding.
struct Columns {
  ConstView x;
  const double* mean = nullptr;    // null: 0
  const float* weights = nullptr;  // null: all 1
  const double* scale = nullptr;   // null: all 1
};

DenseMatrix CrossGram(const Columns& a, const Columns& b, int threads);  // a^T b, a.cols x b.cols
DenseMatrix SelfGram(const Columns& a, int threads);  // a^T a, symmetric to the last bit
// The same of many rows, on all threads also if the columns are few: summed over shards of the
// rows, each by one thread, and then over the shards in their order. The shards depend on the
// number of rows only.
DenseMatrix ShardedGram(const Columns& a, int threads);
size_t GramShards(size_t rows);  // 1 up to 16,384 rows, 16 at most
// Weighted means in double; weights may be null.
std::vector<double> ColumnMeans(ConstView x, const float* weights);

DenseMatrix Doubles(const Columns& a);  // the matrix that they stand for
// The rows from `row` on of the columns from `col` on, as many as `out` holds.
void FillRows(const Columns& a, size_t row, size_t col, View<double> out);

}  // namespace gopnet

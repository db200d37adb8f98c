// Memory by principal component analysis: the fewest axes that hold 98% of the variance
// (arXiv:1808.06377, section 4.2). The energy is counted on the spectrum itself, without the
// regulariser.
#include <algorithm>
#include <cmath>

#include "memory/projection.h"

namespace gopnet {
namespace {

// The smallest q with sum of the first q values >= energy * total; 0 if there is no variance at
// all.
size_t AxesFor(const std::vector<double>& values, double energy) {
  double total = 0;
  for (const double v : values) total += v;
  if (total <= 1e-12) return 0;
  double sum = 0;
  size_t q = 0;
  while (q < values.size() && (q == 0 || sum < energy * total - 1e-12 * total)) sum += values[q++];
  return q;
}

// Fewer rows than columns: eigenvectors u of the N x N row products map back to axes X~^T u /
// sqrt(d).
DenseMatrix AxesFromRows(const Standardized& s, const EigenPairs& pairs, size_t q) {
  DenseMatrix scaled(s.data.x.rows, q);
  for (size_t n = 0; n < scaled.rows(); ++n) {
    for (size_t j = 0; j < q; ++j) scaled(n, j) = pairs.vectors(n, j) / std::sqrt(pairs.values[j]);
  }
  return TransposedProduct(s.columns(), scaled);
}

}  // namespace

DenseMatrix FitPca(const Standardized& s, const MemoryConfig& config) {
  const ConstView x = s.data.x;
  const bool by_rows = x.rows < x.cols;
  const DenseMatrix gram = by_rows ? RowGram(s.columns()) : s.Gram();
  const EigenPairs pairs = SymmetricEigen(gram);
  size_t q = AxesFor(pairs.values, config.memory_energy);
  while (q > 0 && pairs.values[q - 1] <= 1e-12 * pairs.values[0]) --q;  // no direction at all
  if (by_rows) return AxesFromRows(s, pairs, std::min(q, x.rows - 1));
  return FirstColumns(pairs.vectors, q);
}

}  // namespace gopnet

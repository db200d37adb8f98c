// Memory by principal component analysis: the fewest axes that hold 98% of the variance
// (arXiv:1808.06377, section 4.2). The energy is counted on the spectrum itself, without the
// regulariser.
#include <algorithm>

#include "linalg/symmetric_eigen.h"
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

}  // namespace

DenseMatrix FitPca(const Standardized& s, const MemoryConfig& config) {
  const ConstView x = s.data.x;
  const bool by_rows = x.rows < x.cols;
  const auto axes = [&](const std::vector<double>& values) {
    size_t q = AxesFor(values, config.memory_energy);
    while (q > 0 && values[q - 1] <= 1e-12 * values[0]) --q;  // no direction at all
    return by_rows ? std::min(q, x.rows - 1) : q;
  };
  if (!by_rows) return LeadingEigen(s.Gram(), axes).vectors;
  return SpanOfRows(s, axes).axes;
}

}  // namespace gopnet

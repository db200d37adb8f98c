#include "nn/ranking.h"

#include <algorithm>
#include <cmath>

namespace gopnet {

std::vector<uint32_t> RankedRows(ConstView scores, const std::vector<int32_t>& labels) {
  std::vector<uint32_t> rows;
  for (size_t n = 0; n < labels.size(); ++n) {
    const float* p = scores.Row(n);
    const bool whole = std::all_of(p, p + scores.cols, [](float v) { return std::isfinite(v); });
    if (labels[n] >= 0 && whole) rows.push_back(static_cast<uint32_t>(n));
  }
  return rows;
}

// Rows of equal scores enter together, as a straight line of the ROC curve.
Ranking Rank(ConstView scores, size_t column, const std::vector<int32_t>& labels,
             const std::vector<float>& weights, std::vector<uint32_t>& rows) {
  const auto score = [&](uint32_t n) { return scores.Row(n)[column]; };
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return score(a) > score(b); });
  double hits = 0, others = 0, area = 0, precisions = 0;
  for (size_t i = 0; i < rows.size();) {
    const double hits_before = hits, others_before = others;
    const float tie = score(rows[i]);
    for (; i < rows.size() && score(rows[i]) == tie; ++i)
      (labels[rows[i]] == static_cast<int32_t>(column) ? hits : others) +=
          weights.empty() ? 1.0 : static_cast<double>(weights[rows[i]]);
    area += (others - others_before) * (hits + hits_before) / 2;
    if (hits > hits_before) precisions += (hits - hits_before) * hits / (hits + others);
  }
  return {area / (hits * others), hits > 0 ? precisions / hits : std::nan("")};
}

}  // namespace gopnet

#include "nn/problem.h"

#include <algorithm>

namespace gopnet {

Rows PickRows(const Rows& all, const std::vector<size_t>& rows) {
  Rows part;
  part.x = Mat(rows.size(), all.x.cols(), all.x.cols());
  if (all.targets.rows() > 0) part.targets = Mat(rows.size(), all.targets.cols());
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(all.x.Row(rows[i]), all.x.cols(), part.x.Row(i));
    if (all.targets.rows() > 0)
      std::copy_n(all.targets.Row(rows[i]), all.targets.cols(), part.targets.Row(i));
    if (!all.labels.empty()) part.labels.push_back(all.labels[rows[i]]);
    if (!all.weights.empty()) part.weights.push_back(all.weights[rows[i]]);
  }
  return part;
}

Rows PickEvenly(const Rows& all, size_t most) {
  std::vector<size_t> rows;
  const size_t count = std::min(most, all.size());
  for (size_t i = 0; i < count; ++i) rows.push_back(i * all.size() / count);
  return PickRows(all, rows);
}

Mat TargetMatrix(const Problem& problem, const Rows& rows) {
  if (rows.targets.rows() == rows.size()) return rows.targets;
  Mat targets(rows.size(), problem.outputs);
  for (size_t n = 0; n < rows.size(); ++n) {
    if (rows.labels[n] >= 0) targets.Row(n)[rows.labels[n]] = 1;
  }
  return targets;
}

}  // namespace gopnet

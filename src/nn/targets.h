// The right-hand side of least squares.
#pragma once

#include "nn/problem.h"

namespace gopnet {

// N x outputs: the targets as they are, or one-hot classes.
inline Mat TargetMatrix(const Problem& problem, const Rows& rows) {
  if (rows.targets.rows() == rows.size()) return rows.targets;
  Mat targets(rows.size(), problem.outputs);
  for (size_t n = 0; n < rows.size(); ++n) {
    if (rows.labels[n] >= 0) targets.Row(n)[rows.labels[n]] = 1;
  }
  return targets;
}

}  // namespace gopnet

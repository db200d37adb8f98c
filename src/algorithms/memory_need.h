// How much memory a training takes, estimated before it begins. Each algorithm has its own estimate
// beside its Train function; here is what several share. Numbers are bytes unless they say
// otherwise.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/mat.h"
#include "train/config.h"

namespace gopnet {

// The sizes that the estimates depend on.
struct MemoryShape {
  double rows = 0, features = 0, outputs = 0;
  double train_rows = 0;  // what the splits leave of them
  bool regression = false;
  int threads = 1;
};

struct MemoryNeed {
  double training = 0;  // the most while it lasts, beside the rows
  double network = 0;   // of one network that is kept
};

inline double FloatBytes(double rows, double cols) {  // of a Mat
  return 4 * rows * static_cast<double>(Stride<float>(static_cast<size_t>(cols)));
}

// One-hot classes, or the targets of a regression: as least squares see them, and as they are.
inline double TargetBytes(const CommonConfig& config, const MemoryShape& s) {
  const bool none = config.loss.loss == "cross_entropy" || s.outputs < 3;
  return none ? 0 : 8 * s.rows * s.outputs;
}

// Bytes of `nodes` random nodes whose output weights are found by least squares.
inline double RidgeBytes(const CommonConfig& config, const MemoryShape& s, double nodes) {
  return 8 * s.rows * nodes + 16 * nodes * nodes + 24 * nodes * s.outputs + 4 * s.rows * s.outputs +
         TargetBytes(config, s);
}

}  // namespace gopnet

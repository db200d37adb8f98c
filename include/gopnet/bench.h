// How fast this CPU runs the kernels, an operator search and a model, on random data. Every number
// is the best of several repeats, on one thread unless `threads` says otherwise.
#pragma once

#include <cstddef>
#include <string>

#include "gopnet/model.h"

namespace gopnet {

struct BenchShape {
  int rows = 600;
  int inputs = 100;
  int units = 40;
  int classes = 14;
  int batch_size = 64;
  void Check() const;  // throws Error for a value out of range
};

// Float lanes times instructions per second, at the instruction set in use.
struct PeakSpeed {
  double fma = 0;    // fused multiply-adds
  double mixed = 0;  // as many additions as fused multiply-adds
};

// One pair of operators. A nodal evaluation is one psi(x, w); a batch has rows x inputs x units of
// them.
struct PairSpeed {
  std::string nodal;
  std::string pool;
  double forward = 0;        // nodal evaluations per second
  double forward_dw = 0;     // the same with the gradient of the weights
  double bound_forward = 0;  // what the peak allows; 0 if it is not known
  double bound_forward_dw = 0;
  double instructions_forward = 0;  // arithmetic only, per register of nodal evaluations
  double instructions_forward_dw = 0;
  double epoch_ms = 0;  // one epoch of training a layer of this shape, without validation rows
};

struct SearchSpeed {
  int candidates = 0;
  int epochs = 0;  // per candidate
  int threads = 0;
  double seconds = 0;
};

struct PredictSpeed {
  size_t rows = 0;
  double rows_per_second = 0;   // all rows in one call
  double row_microseconds = 0;  // a call with one row
};

PeakSpeed MeasurePeak();

// Throws Error for an unknown name. Without a peak the bounds are 0.
PairSpeed MeasurePair(const std::string& nodal, const std::string& pool,
                      const BenchShape& shape = {}, const PeakSpeed& peak = {});

// Times the search for one layer among the paper's 72 operator sets. Adds rows / 4 validation rows.
// threads: 0 uses all cores. search: exhaustive or halving.
SearchSpeed MeasureSearch(const BenchShape& shape = {}, int epochs = 300, int threads = 0,
                          const std::string& search = "exhaustive");

PredictSpeed MeasurePrediction(const Model& model, size_t rows = 4096);

}  // namespace gopnet

// How much memory a training will take, told before it begins: by the shape of the rows, the
// classes and the algorithm. tests/cli/test_memory_limit.py holds it against what is measured.
#pragma once

#include <cstddef>

#include "algorithms/algorithm.h"
#include "gopnet/train.h"

namespace gopnet {

// Bytes; docs/reliability.md has a table of estimates and of what was measured. Rows that lie in a
// file are left out (base/spill.h).
double EstimateMemory(const std::string& algorithm, const Values& values, const TrainData& data,
                      int threads);

// Throws Error with the estimate if it is more than `limit` bytes; 0: 80% of what the process may
// use. Returns a line to tell if it is more than half of that, else nothing.
std::string CheckMemory(const std::string& algorithm, const Values& values, const TrainData& data,
                        int threads, size_t limit);

}  // namespace gopnet

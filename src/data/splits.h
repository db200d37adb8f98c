// Divides rows into a part to train on and a part held out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace gopnet {

using RandomBits = std::function<uint64_t()>;  // uniform 64-bit numbers

struct Split {
  std::vector<size_t> first;   // to train on, ascending
  std::vector<size_t> second;  // held out, ascending
};

// Holds out the same share of each class, rounded so that the total is right. Classes of one or two
// rows stay in the first part, unless there is no larger one. With two rows or more and a fraction
// in (0, 1) neither part is empty; a fraction of 0 holds out nothing.
Split StratifiedSplit(const std::vector<int32_t>& labels, double second_fraction,
                      const RandomBits& random);

// Holds out a share of n rows.
Split RandomSplit(size_t n, double second_fraction, const RandomBits& random);

}  // namespace gopnet

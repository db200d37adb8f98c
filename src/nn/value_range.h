// What the values of a regression are kept within: beyond the rows they learned from networks may
// say anything, and one absurd value outweighs a thousand good ones.
#pragma once

#include <algorithm>
#include <vector>

#include "base/mat.h"

namespace gopnet {

struct ValueRange {
  std::vector<double> low, high;  // a number an output; none: there are no bounds

  bool empty() const { return low.empty(); }
  double Cut(size_t output, double value) const {
    return empty() ? value : std::clamp(value, low[output], high[output]);
  }
  MutView Cut(MutView out) const {  // in place
    for (size_t j = 0; j < low.size(); ++j) {
      const auto least = static_cast<float>(low[j]), most = static_cast<float>(high[j]);
      for (size_t n = 0; n < out.rows; ++n) out.Row(n)[j] = std::clamp(out.Row(n)[j], least, most);
    }
    return out;
  }
  void Include(size_t output, double value) {
    low[output] = std::min(low[output], value);
    high[output] = std::max(high[output], value);
  }
};

}  // namespace gopnet

#include "algorithms/explodes.h"

#include <algorithm>

#include "base/stop_check.h"

namespace gopnet {
namespace {

struct Extremes {
  explicit Extremes(ConstView values) : low(values.cols), high(values.cols) {
    for (size_t j = 0; j < values.cols; ++j) {
      low[j] = high[j] = values.Row(0)[j];
      for (size_t n = 1; n < values.rows; ++n) {
        low[j] = std::min(low[j], values.Row(n)[j]);
        high[j] = std::max(high[j], values.Row(n)[j]);
      }
    }
  }
  float Width(size_t j) const { return high[j] - low[j]; }
  // Below the lowest or above the highest value by at most so many times the width.
  bool Near(size_t j, float value, float widths) const {
    const float most = widths * Width(j);
    return value >= low[j] - most && value <= high[j] + most;
  }

  std::vector<float> low, high;
};

enum class Way { kAll, kOneUp, kOneDown };

// Moves row n beyond the others: all features away from their means, or one of them.
void MoveOut(Way way, size_t n, const Extremes& x, size_t features, float* row) {
  constexpr float kFurther = 1.5f, kBeyond = 0.2f;
  const size_t k = n % features;
  if (way == Way::kAll) {
    for (size_t j = 0; j < features; ++j) row[j] *= kFurther;
  } else if (way == Way::kOneUp) {
    row[k] = x.high[k] + kBeyond * x.Width(k);
  } else {
    row[k] = x.low[k] - kBeyond * x.Width(k);
  }
}

}  // namespace

bool Explodes(const Network& net, const Problem& problem) {
  constexpr float kWidths = 10;
  const ConstView rows = problem.train.x.view();
  const Extremes x(rows), targets(problem.train.targets.view());
  bool explodes = false;
  Inference inference;
  Mat moved(Inference::kChunk, rows.cols);
  for (const Way way : {Way::kAll, Way::kOneUp, Way::kOneDown}) {
    ForEachChunk(rows.rows, Inference::kChunk, [&](size_t first, size_t count) {
      for (size_t n = 0; n < count; ++n) {
        std::copy_n(rows.Row(first + n), rows.cols, moved.Row(n));
        MoveOut(way, first + n, x, rows.cols, moved.Row(n));
      }
      const MutView outputs = inference.Forward(net, moved.view().Rows(0, count));
      for (size_t n = 0; n < count; ++n)
        for (size_t j = 0; j < outputs.cols; ++j)
          explodes |= !targets.Near(j, outputs.Row(n)[j], kWidths);
    });
  }
  return explodes;
}

}  // namespace gopnet

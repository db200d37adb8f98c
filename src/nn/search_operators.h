// SearchOperators: trains a proposal of the layer for every operator set and returns the best.
#pragma once

#include <optional>

#include "nn/runtime.h"
#include "nn/train_layer.h"

namespace gopnet {

struct SearchResult {
  LayerProposal proposal;
  LayerRecord record;  // units, operator set, candidates, epochs, diverged, seconds; metrics of the
                       // winner on val
};

// Empty if every candidate diverged, also at a tenth of the learning rates.
std::optional<SearchResult> SearchOperators(Runtime& rt, const LayerTask& task,
                                            const SearchConfig& search);

}  // namespace gopnet

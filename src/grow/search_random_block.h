// The search of HeMLGOP and its relatives: random weights and a ridge output for every operator
// set; the best goes on.
#pragma once

#include "grow/block_layer.h"

namespace gopnet {

// The best of `sets`, or an invalid proposal. Adds what the search took to `record`.
LayerProposal SearchRandomBlock(Runtime& rt, const BlockLayer& layer,
                                const LibraryConfig& operators, const std::vector<Candidate>& sets,
                                BlockRecord& record);

}  // namespace gopnet

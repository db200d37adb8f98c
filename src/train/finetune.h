// Fine-tuning: back-propagation through the whole network, all GOP layers and memories, with the
// operators fixed (arXiv:1808.06377, section 4.2). The best epoch by the selection measure is kept
// and the start counts as epoch 0, so the result is never worse on that measure.
#pragma once

#include "nn/problem.h"
#include "train/config.h"
#include "train/runtime.h"

namespace gopnet {

struct FinetuneTask {
  const Problem& problem;
  TrainingConfig training;  // batch size, dropout, regulariser
  FinetuneConfig finetune;
  bool memory = true;  // also train the memory projections
  uint64_t seed = 0;
};

// On one process, with all its threads: a step is too short to be shared between machines.
Network FineTune(const FinetuneTask& task, const Network& net, Runtime& rt);

}  // namespace gopnet

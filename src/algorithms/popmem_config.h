// The parameters of POPmem-H and POPmem-O: those of POPfast and the memory.
#pragma once

#include "nn/config.h"

namespace gopnet {

struct PopMemConfig {
  CommonConfig common;
  GrowthConfig growth;
  TrainingConfig training;
  SearchConfig search;
  MemoryConfig memory;
  FinetuneConfig finetune;
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    growth.Visit(v);
    training.Visit(v);
    search.Visit(v);
    memory.Visit(v);
    finetune.Visit(v);
  }
};

}  // namespace gopnet

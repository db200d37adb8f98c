// The parameters of POPfast, and those of POPmem-H and POPmem-O, which add a memory.
#pragma once

#include "nn/config.h"

namespace gopnet {

struct PopConfig {
  CommonConfig common;
  GrowthConfig growth;
  TrainingConfig training;
  SearchConfig search;
  FinetuneConfig finetune;
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    growth.Visit(v);
    training.Visit(v);
    search.Visit(v);
    finetune.Visit(v);
  }
};

struct PopMemConfig : PopConfig {
  MemoryConfig memory;
  template <class V>
  void Visit(V& v) {
    PopConfig::Visit(v);
    memory.Visit(v);
  }
};

}  // namespace gopnet

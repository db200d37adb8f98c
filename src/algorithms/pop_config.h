// The parameters of POPfast, and those of POPmem-H and POPmem-O, which add a memory.
#pragma once

#include <limits>

#include "algorithms/memory_need.h"
#include "train/config.h"

namespace gopnet {

struct PopConfig {
  static constexpr bool kSearchesOperators = true;
  static std::vector<std::string> GridAxes() { return {}; }
  CommonConfig common;
  GrowthConfig growth;
  TrainingConfig training;
  SearchConfig search;
  FinetuneConfig finetune;
  EnsembleConfig ensemble;

  PopConfig() {            // what generalises; preset paper has the paper's protocol
    growth.topology = {};  // auto
    training.epochs = kAutomatic;
    training.batch_size = kAutomatic;
    training.dropout = std::numeric_limits<double>::quiet_NaN();  // auto
    training.schedule = Schedule::kCosine;
    training.beta2 = 0.95;
    training.label_smoothing = 0.1;
    finetune.finetune_epochs = 0;
  }
  void Visit(FieldVisitor& v) {
    common.Visit(v);
    growth.Visit(v);
    training.Visit(v);
    search.Visit(v);
    finetune.Visit(v);
    ensemble.Visit(v);
  }
};

struct PopMemConfig : PopConfig {
  MemoryConfig memory;
  void Visit(FieldVisitor& v) {
    PopConfig::Visit(v);
    memory.Visit(v);
  }
};

// The memory that POPfast and its kin take, all networks of an ensemble together; none of the
// parameters `topology`, `ensemble` and `batch_size` is automatic any more.
struct GrownKind {
  bool remembers = false;  // a memory is fitted to each layer
  bool pairs = false;      // of operator sets are searched, as POP does
};
MemoryNeed GrownMemory(const PopConfig& config, const MemoryShape& shape, const GrownKind& kind);

}  // namespace gopnet

// Settings for quick trainings with every algorithm.
#pragma once

#include <string>

#include "gopnet/params.h"

namespace gopnet::testing {

// Returns the same settings for every algorithm, without those that it lacks.
inline Params SmallFor(const std::string& name) {
  Params all;
  all.Set("ensemble", 1)
      .Set("schedule", "stages")
      .Set("beta2", 0.999)
      .Set("topology", "7,6,5")
      .Set("epochs", 9)
      .Set("finetune_epochs", 4)
      .Set("nodal", "multiplication,harmonic,gaussian")
      .Set("pool", "sum,correlation1,maximum")
      .Set("activation", "tanh,relu")
      .Set("batch_size", 40)  // more than one shard in fine-tuning
      .Set("dropout", 0.2)
      .Set("block_size", 7)
      .Set("max_blocks", 3)
      .Set("max_layers", 3)
      .Set("reduced_size", 8);
  Params p;
  const auto known = Resolve(name, {});
  for (const auto& [key, value] : all.values())
    if (known.count(key) != 0) p.Set(key, value);
  return p;
}

}  // namespace gopnet::testing

// The HeMLGOP family: training and measurement of blocks.
#include <gtest/gtest.h>

#include "model/model_impl.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using testing::Data;
using testing::MakeArrays;

Params Small() {
  Params p;
  p.Set("block_size", 6).Set("max_blocks", 3).Set("max_layers", 2).Set("finetune_epochs", 0);
  return p.Set("nodal", "multiplication,harmonic").Set("pool", "sum,maximum");
}

// Random blocks have no biases; back-propagation gives them some.
bool IsTrained(const Block& block) {
  for (size_t j = 0; j < block.units(); ++j)
    if (block.b.data()[j] != 0) return true;
  return false;
}

// Also without validation rows: gopnet must not compare a start without dropout with epochs with
// dropout.
TEST(HeMlGop, BlocksAreTrainedAndThoseOfTheRandomNetworksAreNot) {
  for (const double val_split : {0.25, 0.0}) {
    for (const std::string name : {"hemlgop", "homlgop", "hemlrn", "homlrn"}) {
      Params p = Small().Set("val_split", val_split);
      const bool trains = name.find("gop") != std::string::npos;
      if (trains) p.Set("epochs", 100).Set("dropout", val_split > 0 ? 0.1 : 0.5);
      const Model model = Train(name, Data(MakeArrays(600, 1)), p).model;
      EXPECT_EQ(IsTrained(model.impl().data.network().layers[0].blocks[0]), trains)
          << name << " " << val_split;
    }
  }
}

TEST(HeMlGop, HomogeneousLayersHaveOneOperatorSet) {
  for (const char* name : {"homlgop", "homlrn"}) {
    const Model model =
        Train(name, Data(MakeArrays(150, 2)), Small().Set("block_threshold", 0)).model;
    for (const LayerInfo& layer : model.layers()) {
      for (const BlockInfo& block : layer.blocks)
        EXPECT_EQ(block.operator_set, layer.operator_set) << name;
    }
  }
}

// The loss of a ridge output depends on its scale, so gopnet measures it as in the network.
TEST(HeMlRn, EveryAcceptedBlockLowersTheLossIfThatDecides) {
  const History h =
      Train("hemlrn", Data(MakeArrays(150, 3)), Small().Set("metric", "loss").Set("max_blocks", 6))
          .history;
  for (const LayerRecord& layer : h.layers) {
    for (size_t j = 1; j < layer.blocks.size(); ++j)
      EXPECT_LE(layer.blocks[j].val.at("loss"), layer.blocks[j - 1].val.at("loss"));
    EXPECT_NEAR(layer.blocks.back().val.at("loss"), layer.val.at("loss"), 1e-5);
  }
}

}  // namespace
}  // namespace gopnet

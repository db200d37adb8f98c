// Properties of every algorithm in the registry: determinism, save and load, useful errors, and the
// relations between the algorithms of the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "gopnet/gopnet.h"
#include "model/model_impl.h"
#include "support/small_params.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using testing::Arrays;
using testing::Data;
using testing::MakeArrays;
using testing::SmallFor;

Arrays Shuffled(const Arrays& a) {
  std::vector<size_t> order(a.x.rows());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Arrays b{Matrix(a.x.rows(), 6), {}, Matrix(a.x.rows(), 2)};
  for (size_t n = 0; n < order.size(); ++n) {
    std::copy_n(a.x.Row(order[n]), 6, b.x.Row(n));
    std::copy_n(a.targets.Row(order[n]), 2, b.targets.Row(n));
    b.labels.push_back(a.labels[order[n]]);
  }
  return b;
}

Params Small() { return SmallFor("popfast"); }  // of all POP algorithms

bool Has(const std::string& name, const std::string& parameter) {
  return Resolve(name, {}).count(parameter) != 0;
}

class EveryAlgorithm : public ::testing::TestWithParam<std::tuple<std::string, Task>> {
 protected:
  std::string name() const { return std::get<0>(GetParam()); }
  Task task() const { return std::get<1>(GetParam()); }
  Params Small() const { return SmallFor(name()); }
  // Sets `parameter` if the algorithm has it.
  Params SmallWith(const std::string& parameter, const std::string& value) const {
    return Has(name(), parameter) ? Small().Set(parameter, value) : Small();
  }
  Params WithDepth(Params p, int layers) const {
    if (Has(name(), "max_layers")) return p.Set("max_layers", layers);
    if (Has(name(), "topology")) return p.Set("topology", layers == 1 ? "7" : "7,6");
    return p.Set("max_blocks",
                 layers);  // BLS always has two layers, which grow in this number of steps
  }
  std::string Bytes(const Arrays& a, const Params& p) const {
    return SerializeModel(Train(name(), Data(a, task()), p).model.impl().data);
  }
};

TEST_P(EveryAlgorithm, SameBytesForAnyNumberOfThreadsAndAnyOrderOfRows) {
  const Arrays a = MakeArrays(120, 1);
  const std::string one = Bytes(a, Small().Set("threads", 1));
  EXPECT_EQ(one, Bytes(a, Small().Set("threads", 2)));
  EXPECT_EQ(one, Bytes(a, Small().Set("threads", 5)));
  EXPECT_EQ(one, Bytes(Shuffled(a), Small().Set("threads", 2)));
  EXPECT_NE(one, Bytes(a, Small().Set("seed", 2)));
}

TEST_P(EveryAlgorithm, SavedAndLoadedModelsPredictTheSameBits) {
  const Arrays a = MakeArrays(120, 1), fresh = MakeArrays(300, 2);
  const TempFolder folder;
  const Model model = Train(name(), Data(a, task()), Small()).model;
  model.Save(folder.Path("m.safetensors"));
  const Model loaded = Model::Load(folder.Path("m.safetensors"));
  const Matrix before = model.Predict(fresh.x), after = loaded.Predict(fresh.x);
  ASSERT_EQ(before.rows(), 300u);
  for (size_t n = 0; n < before.rows(); ++n) {
    for (size_t j = 0; j < before.cols(); ++j) EXPECT_EQ(before(n, j), after(n, j));
  }
  EXPECT_EQ(SerializeModel(model.impl().data), SerializeModel(loaded.impl().data));
}

TEST_P(EveryAlgorithm, ValidationNeverGetsWorseFromLayerToLayerNorByFineTuning) {
  const Arrays a = MakeArrays(150, 4);
  const History h = Train(name(), Data(a, task()), SmallWith("layer_threshold", "0")).history;
  const std::string metric = task() == Task::kClassification ? "accuracy" : "r2";
  for (size_t k = 1; k < h.layers.size(); ++k)
    EXPECT_GE(h.layers[k].val.at(metric), h.layers[k - 1].val.at(metric));
  EXPECT_GE(h.metrics.at("val").at(metric), h.layers.back().val.at(metric));
  EXPECT_FALSE(h.stopped.empty());
}

TEST_P(EveryAlgorithm, WithoutFineTuningTheNetworkScoresWhatItsLastLayerDid) {
  const Arrays a = MakeArrays(150, 4);
  Params p = SmallWith("finetune_epochs", "0");
  p.Set("bounded", "never");  // training sets bounds only at the end
  const History h = Train(name(), Data(a, task()), p).history;
  // the same holds for the temperature, which changes only probabilities
  const auto same = [](Metrics network, Metrics layer) {
    const bool cross_entropy = layer.count("brier") != 0;
    for (Metrics* m : {&network, &layer}) {
      if (cross_entropy) m->erase("loss");
      for (const char* of_probabilities : {"auc", "brier", "ece", "log_loss", "pr_auc"})
        m->erase(of_probabilities);
    }
    EXPECT_EQ(network, layer);
  };
  same(h.metrics.at("val"), h.layers.back().val);
  same(h.metrics.at("train"), h.layers.back().train);
}

// Oracle: the model contains nothing of a rejected layer (for BLS: step), in particular not its
// output layer.
TEST_P(EveryAlgorithm, ARejectedLayerLeavesTheNetworkAsItWas) {
  const Arrays a = MakeArrays(150, 4);
  const bool by_layers = Has(name(), "layer_threshold");
  Params p = SmallWith("finetune_epochs", "0");
  if (!by_layers) p.Set("block_patience", 1);
  const History one = Train(name(), Data(a, task()), WithDepth(p, 1)).history;
  // no second layer gains 100%
  p.Set(by_layers ? "layer_threshold" : "block_threshold", 1);
  const History two = Train(name(), Data(a, task()), p).history;
  EXPECT_NE(two.stopped.find(by_layers ? "layer 2 " : "step 2 "), std::string::npos) << two.stopped;
  EXPECT_EQ(two.rejected.size(), by_layers ? 1u : 0u);
  EXPECT_EQ(two.layers.size(), one.layers.size());
  EXPECT_EQ(two.metrics, one.metrics);
}

TEST_P(EveryAlgorithm, WorksWithoutValidationRowsWithOneFeatureAndWithConstantOnes) {
  Arrays a = MakeArrays(40, 14);
  EXPECT_GT(Train(name(), Data(a, task()), Small().Set("val_split", 0)).history.layers.size(), 0u);
  for (size_t n = 0; n < 40; ++n)
    for (size_t j = 1; j < 6; ++j) a.x(n, j) = 3;
  EXPECT_NO_THROW(Train(name(), Data(a, task()), Small()));
  Arrays thin{Matrix(40, 1), a.labels, a.targets};
  for (size_t n = 0; n < 40; ++n) thin.x(n, 0) = a.x(n, 0);
  EXPECT_NO_THROW(Train(name(), Data(thin, task()), Small()));
}

TEST_P(EveryAlgorithm, HalvingAndTinyDataWork) {
  const Arrays a = MakeArrays(11, 5);
  for (const char* search : {"exhaustive", "halving"}) {
    const TrainResult r = Train(name(), Data(a, task()), SmallWith("search", search));
    EXPECT_GE(r.model.layers().size(), 1u);
  }
}

TEST_P(EveryAlgorithm, ARowOfWeightZeroEqualsARemovedRow) {
  const Arrays a = MakeArrays(90, 6);
  Arrays fewer{Matrix(80, 6), {a.labels.begin(), a.labels.begin() + 80}, Matrix(80, 2)};
  for (size_t n = 0; n < 80; ++n) {
    std::copy_n(a.x.Row(n), 6, fewer.x.Row(n));
    std::copy_n(a.targets.Row(n), 2, fewer.targets.Row(n));
  }
  TrainData weighted = Data(a, task());
  weighted.train.weights.assign(90, 1);
  std::fill(weighted.train.weights.begin() + 80, weighted.train.weights.end(), 0.0f);
  EXPECT_EQ(SerializeModel(Train(name(), weighted, Small()).model.impl().data),
            Bytes(fewer, Small()));
}

std::vector<std::string> AlgorithmNames() {
  std::vector<std::string> names;
  for (const AlgorithmInfo& info : Algorithms()) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    Registry, EveryAlgorithm,
    ::testing::Combine(::testing::ValuesIn(AlgorithmNames()),
                       ::testing::Values(Task::kClassification, Task::kRegression)),
    [](const auto& p) {
      std::string name = std::get<0>(p.param);
      std::replace(name.begin(), name.end(), '-', '_');
      return name + (std::get<1>(p.param) == Task::kClassification ? "_classes" : "_regression");
    });

TEST(PopMem, WithoutMemoryIsPopFastBitForBit) {
  const Arrays a = MakeArrays(120, 7), fresh = MakeArrays(50, 8);
  const ModelData fast =
      Train("popfast", Data(a, Task::kClassification), Small()).model.impl().data;
  for (const char* name : {"popmem-o", "popmem-h"}) {
    ModelData none = Train(name, Data(a, Task::kClassification), Small().Set("memory", "none"))
                         .model.impl()
                         .data;
    none.algorithm = fast.algorithm;
    none.parameters = fast.parameters;
    EXPECT_EQ(SerializeModel(none), SerializeModel(fast)) << name;
  }
}

TEST(PopMem, HLeavesTheFirstLayerAsPopFastHasIt) {
  const Arrays a = MakeArrays(120, 7);
  const Params p = Small().Set("finetune_epochs", 0);
  const History fast = Train("popfast", Data(a, Task::kClassification), p).history;
  const History h = Train("popmem-h", Data(a, Task::kClassification), p).history;
  EXPECT_EQ(fast.layers[0].operator_set, h.layers[0].operator_set);
  EXPECT_EQ(fast.layers[0].val, h.layers[0].val);
}

TEST(PopMem, OLayersHandOnUnitsAndMemory) {
  const Arrays a = MakeArrays(150, 4);
  for (const char* memory : {"pca", "lda"}) {
    const Model model =
        Train("popmem-o", Data(a, Task::kClassification), Small().Set("memory", memory)).model;
    const std::vector<LayerInfo> layers = model.layers();
    for (size_t k = 0; k < layers.size(); ++k) {
      EXPECT_EQ(layers[k].memory, memory);
      EXPECT_GT(layers[k].memory_dims, 0);
      if (k == 0) continue;
      EXPECT_EQ(layers[k].inputs, layers[k - 1].units + layers[k - 1].memory_dims);
    }
  }
}

// Rules of the paper, or of the code of its authors, from which the defaults differ.
TEST(Presets, PaperSetsThePublishedProtocol) {
  const auto value = [](const char* algorithm, const char* name) {
    return Resolve(algorithm, Params().Set("preset", "paper")).at(name);
  };
  for (const char* name : {"pop", "popfast", "popmem-h", "popmem-o"}) {
    EXPECT_EQ(value(name, "ensemble"), "1");
    EXPECT_EQ(value(name, "scale"), "standard");
    EXPECT_EQ(value(name, "schedule"), "stages");
    EXPECT_EQ(value(name, "beta2"), "0.999");
    EXPECT_EQ(value(name, "batch_size"), "64");
    EXPECT_EQ(value(name, "search"), "exhaustive");
    EXPECT_EQ(value(name, "epochs"), "300");
    EXPECT_EQ(value(name, "finetune_epochs"), "200");
    EXPECT_EQ(value(name, "topology"), "40,40,40,40,40,40,40,40");
    EXPECT_EQ(value(name, "dropout"), "0.5");
    EXPECT_EQ(value(name, "regulariser"), "best_of_two");
    EXPECT_EQ(value(name, "layer_threshold"), "0.0001");
  }
  EXPECT_EQ(value("popmem-o", "memory_prescale"), "center");
  EXPECT_EQ(value("bls", "update"), "greville");
  EXPECT_EQ(value("bls", "admm_rho"), "1");
  EXPECT_EQ(value("bls", "intercept"), "false");
  EXPECT_EQ(value("pln", "solver"), "admm");
  for (const char* name : {"bls", "s-elm", "pln"}) EXPECT_EQ(value(name, "on_stop"), "keep");
}

TEST(Train, OneDivergingOperatorDoesNotAbortTheSearch) {
  Arrays a = MakeArrays(80, 9);
  Params p = Small()
                 .Set("lr", "10,0.01")
                 .Set("nodal", "multiplication,dog")
                 .Set("pool", "sum,correlation2")
                 .Set("topology", "5");
  EXPECT_NO_THROW({
    try {
      Train("popfast", Data(a, Task::kClassification), p);
    } catch (const Error& e) {  // every candidate diverged: an error, no crash
      EXPECT_NE(std::string(e.what()).find("diverged"), std::string::npos);
    }
  });
}

TEST(Train, BestOfTwoKeepsTheBetterRegulariser) {
  const Arrays a = MakeArrays(100, 10);
  const auto val = [&](const Params& p) {
    return Train("popfast", Data(a, Task::kClassification), p)
        .history.metrics.at("val")
        .at("accuracy");
  };
  const double both = val(Small().Set("regulariser", "best_of_two"));
  EXPECT_EQ(both,
            std::max(val(Small().Set("weight_decay", 1e-4)), val(Small().Set("max_norm", 2.0))));
}

TEST(Train, ClassWeightsShiftPredictionsTowardsTheirClass) {
  const Arrays a = MakeArrays(200, 11);
  const auto count = [&](const Params& p) {
    const std::vector<int> predicted =
        Train("popfast", Data(a, Task::kClassification), p).model.PredictClass(a.x);
    return std::count(predicted.begin(), predicted.end(), 1);
  };
  EXPECT_GT(count(Small().Set("class_weight", "20:20")),
            count(Small().Set("class_weight", "20:0.05")));
  EXPECT_NO_THROW(count(Small().Set("class_weight", "balanced")));
}

TEST(Train, SmallestProblems) {
  Arrays two{Matrix(2, 1), {0, 1}, Matrix()};
  two.x(1, 0) = 1;
  EXPECT_NO_THROW(Train("popmem-o", Data(two, Task::kClassification), Small()));
  Arrays lonely = MakeArrays(40, 12);
  lonely.labels[0] = 55;  // a class with one row
  EXPECT_EQ(Train("popmem-o", Data(lonely, Task::kClassification), Small().Set("memory", "lda"))
                .model.classes()
                .size(),
            4u);
}

TEST(Train, ErrorsNameWhatIsWrong) {
  const Arrays a = MakeArrays(30, 13);
  const auto message = [&](const std::string& algorithm, const TrainData& data,
                           const Params& p) -> std::string {
    try {
      Train(algorithm, data, p);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const TrainData data = Data(a, Task::kClassification);
  EXPECT_NE(message("popmem", data, {}).find("did you mean 'popmem-h' or 'popmem-o'?"),
            std::string::npos);
  EXPECT_NE(message("popfast", data, Params().Set("epoch", 3)).find("did you mean 'epochs'"),
            std::string::npos);
  EXPECT_NE(message("popfast", data, Params().Set("topology", "40,0")).find("in [1, 65536]"),
            std::string::npos);
  EXPECT_NE(message("popfast", data, Params().Set("nodal", "gausian")).find("gaussian"),
            std::string::npos);
  EXPECT_NE(message("popfast", data, Params().Set("weight_decay", 0.1).Set("max_norm", 1.0))
                .find("only one"),
            std::string::npos);
  EXPECT_NE(message("popfast", data, Params().Set("metric", "r2")).find("classification"),
            std::string::npos);
  EXPECT_NE(message("popfast", data, Params().Set("memory", "pca")).find("memory"),
            std::string::npos);
  TrainData broken = data;
  Matrix x = a.x;
  x(4, 2) = std::nanf("");
  broken.train = MakeDataset(x, a.labels);
  EXPECT_NE(message("popfast", broken, {}).find("row 5, column 3"), std::string::npos);
  broken.train = MakeDataset(a.x, std::vector<int64_t>(30, 4));
  EXPECT_NE(message("popfast", broken, {}).find("'4'"), std::string::npos);
}

}  // namespace
}  // namespace gopnet

// The run folder, stopping, and the contracts of the public functions about data.
#include "gopnet/train.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "gopnet/gopnet.h"
#include "model/model_impl.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;

Matrix Waves(size_t rows) {
  Matrix x(rows, 5);
  for (size_t n = 0; n < rows; ++n) {
    for (size_t j = 0; j < 5; ++j) {
      x(n, j) = static_cast<float>(
          std::sin(0.7 * static_cast<double>(n * (j + 1)) + 0.1 * static_cast<double>(j)));
    }
  }
  return x;
}

std::vector<std::string> Names(const Matrix& x) {
  std::vector<std::string> labels;
  for (size_t n = 0; n < x.rows(); ++n) labels.push_back(x(n, 0) * x(n, 1) > 0 ? "above" : "below");
  return labels;
}

Params SmallRun() {
  Params p;
  return p.Set("ensemble", 1)
      .Set("topology", "5,4")
      .Set("epochs", 6)
      .Set("finetune_epochs", 2)
      .Set("nodal", "multiplication,harmonic")
      .Set("pool", "sum");
}

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Records the events of all candidates and layers.
class Witness : public Observer {
 public:
  void OnCandidate(const CandidateEvent& event) override { events.push_back(event); }
  void OnLayer(const LayerRecord& layer, int, bool) override { layers.push_back(layer); }
  std::vector<CandidateEvent> events;
  std::vector<LayerRecord> layers;
};

TEST(Progress, CountsRoundsSetsAndFinishedWork) {
  const testing::Arrays a = testing::MakeArrays(120, 4);
  Witness witness;
  TrainOptions options;
  options.observer = &witness;
  const Params params = SmallRun().Set("topology", "5").Set("epochs", 30).Set("search", "halving");
  const TrainResult trained = Train("popfast", testing::Data(a), params, options);
  double share = 0;
  for (const CandidateEvent& e : witness.events) {
    EXPECT_EQ(e.rounds, 4);
    EXPECT_TRUE(1 <= e.set && e.set <= e.sets && e.round <= e.rounds);
    EXPECT_FALSE(e.ranks_only);
    EXPECT_LE(e.share, 1);
    if (e.set > 1) EXPECT_GT(e.share, share);
    share = e.share;
  }
  EXPECT_NEAR(share, 1, 0.25);  // the share is based on estimated costs
  // The curve of the winner has the initial value and 30 epochs.
  const LayerRecord& layer = trained.history.layers[0];
  const std::vector<double>& curve = layer.curve.at("accuracy");
  EXPECT_EQ(curve.size(), 31u);
  EXPECT_EQ(layer.curve.at("loss").size(), 31u);
  EXPECT_DOUBLE_EQ(*std::max_element(curve.begin(), curve.end()), layer.val.at("accuracy"));
}

TEST(Progress, EnsembleSearchReportsThatItOnlyRanks) {
  const testing::Arrays a = testing::MakeArrays(120, 4);
  Witness witness;
  TrainOptions options;
  options.observer = &witness;
  const Params params = SmallRun().Set("ensemble", 3).Set("search_epochs", 6);
  Train("popfast", testing::Data(a), params, options);
  ASSERT_EQ(witness.layers.size(), 1u);
  EXPECT_TRUE(witness.layers[0].ranks_only);
  EXPECT_TRUE(witness.events.back().ranks_only);
  EXPECT_LT(witness.events.back().share, 0.9);  // growing the networks is still to come
}

TEST(Search, TrainsThreeOrFewerSetsInOneRound) {
  const testing::Arrays a = testing::MakeArrays(120, 4);
  const auto rounds = [&](const char* nodal, const char* activation) {
    Witness witness;
    const Params params =
        SmallRun().Set("epochs", 30).Set("nodal", nodal).Set("activation", activation);
    Train("popfast", testing::Data(a), params, {.run_folder = {}, .observer = &witness});
    return witness.events.at(0).rounds;
  };
  EXPECT_EQ(rounds("multiplication", "tanh,relu,sigmoid"), 1);
  EXPECT_EQ(rounds("multiplication,harmonic", "tanh,relu"), 4);
}

TEST(Search, EnsembleSearchSkipsRoundsItDoesNotNeed) {
  const testing::Arrays a = testing::MakeArrays(120, 4);
  const auto search = [&](int networks) {  // the rounds train 72, 24, 8 and 3 sets
    Witness witness;
    const Params params = Params()
                              .Set("topology", "5")
                              .Set("epochs", 2)
                              .Set("search_epochs", 27)
                              .Set("ensemble", networks);
    Train("popfast", testing::Data(a), params, {.run_folder = {}, .observer = &witness});
    EXPECT_EQ(witness.events.back().round, witness.events.back().rounds);
    return std::pair(witness.events.back().rounds, witness.events.back().sets);
  };
  EXPECT_EQ(search(2), std::pair(4, 3));
  EXPECT_EQ(search(3), std::pair(3, 8));
  EXPECT_EQ(search(8), std::pair(2, 24));
  EXPECT_EQ(search(24), std::pair(1, 72));
}

TEST(CrossValidation, FoldsDoNotOverlapAndDependOnlyOnTheRows) {
  testing::Arrays a = testing::MakeArrays(90, 5);
  const auto validate = [&](int folds) {
    return Train("s-elm", testing::Data(a), Params(), {.cv_folds = folds}).history.cv;
  };
  const CrossValidation cv = validate(3);
  ASSERT_EQ(cv.scores.size(), 3u);
  for (size_t n = 0; n < 45; ++n) {  // in reverse order
    std::swap_ranges(a.x.Row(n), a.x.Row(n) + 6, a.x.Row(89 - n));
    std::swap(a.labels[n], a.labels[89 - n]);
  }
  EXPECT_EQ(validate(3).scores, cv.scores);
  EXPECT_THROW(validate(1), Error);
  EXPECT_THROW(validate(46), Error);
}

// A class that occurs only in validation rows cannot be learned, but must not cause an error.
TEST(Folds, SkipValidationRowsOfUnknownClasses) {
  const testing::Arrays a = testing::MakeArrays(60, 3);
  TrainData data = testing::Data(a);
  data.val = data.train;
  data.val.classes.push_back("never seen");
  data.val.labels.assign(data.val.labels.size(), static_cast<int32_t>(data.val.classes.size() - 1));
  data.val.labels[0] = 0;
  const TrainResult r = Train("s-elm", data, Params().Set("folds", 2).Set("block_size", 5));
  EXPECT_EQ(r.history.data.at("train"), 61);
}

// If every row is classified correctly, the temperature stays bounded.
TEST(Temperature, IsBoundedForCrossEntropy) {
  testing::Arrays a = testing::MakeArrays(400, 3);
  for (size_t n = 0; n < 400; ++n) a.x(n, 0) = 5 * static_cast<float>(a.labels[n]);
  const TrainResult r = Train("popfast", testing::Data(a), SmallRun().Set("epochs", 30));
  EXPECT_LT(r.history.metrics.at("val").at("loss"), 0.7);
  EXPECT_LE(r.model.impl().data.temperature, 3);
}

// Above a limit, gopnet draws rows for each network. The draw does not depend on the number of
// threads.
TEST(Ensemble, NetworksLearnFromASampleOfVeryManyRows) {
  const testing::Arrays a = testing::MakeArrays(200, 3);
  const Params two = SmallRun().Set("ensemble", 2).Set("val_split", 0.25);
  const auto bytes = [&](int rows, int threads) {
    Params params = two;
    params.Set("network_rows", rows).Set("threads", threads);
    Model model = Train("popfast", testing::Data(a), params).model;
    return model.impl().data.ensemble.members.at(0).network.output.w.Row(0)[0];
  };
  EXPECT_EQ(bytes(40, 1), bytes(40, 2));
  EXPECT_EQ(bytes(1000, 1), bytes(2000, 1));
  EXPECT_NE(bytes(40, 1), bytes(1000, 1));
}

// Counts networks whose upper layers are plain perceptrons, unlike the first layer. All other
// networks have the same operator set in every layer.
size_t PlainUpperLayers(const Params& params) {
  const testing::Arrays a = testing::MakeArrays(200, 3);
  const OperatorSet plain = OperatorSetFromNames({"multiplication", "sum", "relu"}, "");
  const Model model = Train("popfast", testing::Data(a), params).model;
  size_t count = 0;
  for (const Member& member : model.impl().data.ensemble.members) {
    const OperatorSet first = member.network.layers.at(0).blocks[0].phi;
    for (const Layer& layer : member.network.layers) {
      if (layer.blocks[0].phi == first) continue;
      EXPECT_EQ(layer.blocks[0].phi, plain);
      ++count;
    }
  }
  return count;
}

TEST(Ensemble, UpperLayersUseTheOperatorsOfTheFirstOrPlainPerceptrons) {
  const Params params = SmallRun()
                            .Set("ensemble", 6)
                            .Set("topology", "5,4,4")
                            .Set("patience", 3)
                            .Set("epochs", 20)
                            .Set("linear_member", "false");
  EXPECT_GT(PlainUpperLayers(params), 0u);
  EXPECT_EQ(PlainUpperLayers(Params(params).Set("activation", "tanh,sigmoid")), 0u);
  EXPECT_EQ(PlainUpperLayers(Params(params).Set("nodal", "harmonic")), 0u);
  EXPECT_EQ(PlainUpperLayers(Params(params).Set("upper_layers", "own")), 0u);
}

// Epochs spent on the second layers of networks whose first layer is not of plain perceptrons.
std::set<long> EpochsOfSecondLayers(const char* search) {
  const testing::Arrays a = testing::MakeArrays(200, 3);
  std::set<long> epochs;
  for (int seed = 1; seed <= 4; ++seed) {
    const Params params = SmallRun()
                              .Set("ensemble", 2)
                              .Set("patience", 2)
                              .Set("epochs", 20)
                              .Set("search", search)
                              .Set("seed", seed);
    const std::vector<LayerRecord> layers =
        Train("popfast", testing::Data(a), params).history.layers;
    const std::vector<std::string> plain = {"multiplication", "sum", "relu"};
    if (layers.size() > 1 && layers[0].operator_set != plain) epochs.insert(layers[1].epochs);
  }
  return epochs;
}

TEST(Ensemble, OwnOperatorsAndPlainPerceptronsCompeteForAFifthOfTheEpochs) {
  EXPECT_EQ(EpochsOfSecondLayers("halving"), std::set<long>{4 + 20});
  EXPECT_EQ(EpochsOfSecondLayers("exhaustive"), std::set<long>{20 + 20});
}

TEST(Topology, IsWiderForManyRows) {
  const auto topology = [](size_t rows, Task task = Task::kClassification) {
    const testing::Arrays a = testing::MakeArrays(rows, 3);
    const Params quick = Params()
                             .Set("ensemble", 1)
                             .Set("epochs", 0)
                             .Set("nodal", "multiplication")
                             .Set("pool", "sum")
                             .Set("activation", "tanh");
    return Train("popfast", testing::Data(a, task), quick)
        .model.impl()
        .data.parameters.at("topology");
  };
  EXPECT_EQ(topology(100), "40,40,40");
  EXPECT_EQ(topology(2600), "80,80,80");
  EXPECT_EQ(topology(2600, Task::kRegression), "40,40,40");
  EXPECT_EQ(topology(7000, Task::kRegression), "80,80,80");
}

TEST(RunFolder, HoldsConfigJournalModelAndMetrics) {
  const Matrix x = Waves(80);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const TempFolder folder;
  const std::string run = folder.Path("runs/first");
  const TrainResult result = Train("popmem-o", data, SmallRun(), {.run_folder = run});
  for (const char* name : {"config.json", "journal.jsonl", "checkpoint.safetensors",
                           "model.safetensors", "metrics.json"}) {
    EXPECT_TRUE(fs::exists(fs::path(run) / name)) << name;
  }
  const auto config = nlohmann::json::parse(Contents(run + "/config.json"));
  EXPECT_EQ(config["parameters"]["topology"], (std::vector<int>{5, 4}));
  EXPECT_EQ(config["parameters"]["target_loss"], nullptr);
  EXPECT_EQ(config["version"], Version());
  const auto metrics = nlohmann::json::parse(Contents(run + "/metrics.json"));
  EXPECT_EQ(metrics["data"]["classes"], 2);
  EXPECT_EQ(metrics["layers"].size(), result.model.layers().size());
  std::istringstream journal(Contents(run + "/journal.jsonl"));
  int candidates = 0;
  for (std::string line; std::getline(journal, line);)
    candidates += nlohmann::json::parse(line)["event"] == "candidate";
  EXPECT_EQ(candidates % 6, 0);  // 2 x 1 x 3 sets per layer
  EXPECT_GE(candidates, 6);
  EXPECT_ERROR("is not empty", Train("popmem-o", data, SmallRun(), {.run_folder = run}));
}

TEST(RunFolder, IsRemovedAfterAnError) {
  const Matrix x = Waves(30);
  TrainData data;
  data.train = MakeDataset(x, std::vector<std::string>(30, "same"));
  const TempFolder folder;
  EXPECT_ERROR("'same'", Train("popfast", data, SmallRun(), {.run_folder = folder.Path("run")}));
  EXPECT_FALSE(fs::exists(folder.Path("run")));
}

class StopAtSecondLayer : public Observer {
 public:
  void OnLayer(const LayerRecord&, int index, bool) override { stop_ = index >= 1; }
  bool Continue() override { return !stop_; }

 private:
  std::atomic<bool> stop_{false};
};

TEST(Stopping, LeavesAUsableCheckpoint) {
  const Matrix x = Waves(80);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const TempFolder folder;
  StopAtSecondLayer observer;
  EXPECT_THROW(
      Train("popfast", data, SmallRun(), {.run_folder = folder.Path("run"), .observer = &observer}),
      Stopped);
  EXPECT_FALSE(fs::exists(folder.Path("run/model.safetensors")));
  const Model model = Model::Load(folder.Path("run/checkpoint.safetensors"));
  EXPECT_EQ(model.layers().size(), 1u);
  EXPECT_EQ(model.PredictClass(x).size(), 80u);
}

class StopAtSecondFold : public Observer {
 public:
  void OnFold(int done, int, const Metrics&) override { folds_ = done; }
  bool Continue() override { return folds_ < 2; }

 private:
  int folds_ = 0;
};

TEST(Stopping, ResumedRunKeepsItsFoldsAndOutputOptions) {
  const Matrix x = Waves(80);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const TempFolder folder;
  const auto whole = Train("popfast", data, SmallRun(), {.cv_folds = 3}).history.cv;
  StopAtSecondFold folds;
  TrainOptions options{.run_folder = folder.Path("run"), .observer = &folds};
  options.save_split = true;
  options.cv_folds = 3;
  EXPECT_THROW(Train("popfast", data, SmallRun(), options), Stopped);
  EXPECT_TRUE(fs::exists(folder.Path("run/state/fold-2-of-3.bin")));
  StopAtSecondLayer layers;  // the third fold has no such event, so this stops the final training
  EXPECT_THROW(Resume(data, {.run_folder = folder.Path("run"), .observer = &layers}), Stopped);
  const TrainResult r = Resume(data, {.run_folder = folder.Path("run")});
  EXPECT_EQ(r.history.cv.scores, whole.scores);
  EXPECT_TRUE(fs::exists(folder.Path("run/split.csv")));
  EXPECT_FALSE(fs::exists(folder.Path("run/test_predictions.csv")));  // there are no test rows
}

TEST(Predict, ConstantAndExtremeColumnsStayFinite) {
  Matrix x = Waves(80);
  for (size_t n = 0; n < 80; ++n) x(n, 4) = 3;
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const Model model = Train("popmem-o", data, SmallRun()).model;
  Matrix wild(2, 5);
  for (size_t j = 0; j < 5; ++j) {
    wild(0, j) = 3e38f;
    wild(1, j) = -3e38f;
  }
  const Matrix p = model.Predict(wild);
  for (size_t n = 0; n < 2; ++n) EXPECT_NEAR(p(n, 0) + p(n, 1), 1, 1e-5);
}

TEST(Predict, MseLossGivesProbabilitiesThroughATemperature) {
  const Matrix x = Waves(120);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const TrainResult r = Train("popfast", data, SmallRun().Set("loss", "mse").Set("epochs", 30));
  const Matrix p = r.model.Predict(x);
  for (size_t n = 0; n < 120; ++n) EXPECT_NEAR(p(n, 0) + p(n, 1), 1, 1e-5);
  EXPECT_LT(r.history.metrics.at("train").at("loss"), 0.5);
}

TEST(Predict, WrongNumberOfColumnsIsAnError) {
  const Matrix x = Waves(40);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const Model model = Train("popfast", data, SmallRun()).model;
  EXPECT_ERROR("5 columns; got 4", model.Predict(Matrix(3, 4)));
}

TEST(Evaluate, CountsUnknownLabelsAsErrors) {
  const Matrix x = Waves(40);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const Model model = Train("popfast", data, SmallRun()).model;
  std::vector<std::string> labels = Names(x);
  labels[3] = "sideways";
  const Evaluation e = Evaluate(model, MakeDataset(x, labels));
  EXPECT_EQ(e.unknown_labels, 1);
  long counted = 0;
  for (const auto& row : e.confusion) {
    for (const long count : row) counted += count;
  }
  EXPECT_EQ(counted, 39);
  EXPECT_LE(e.metrics.at("accuracy"), 39.0 / 40);
}

}  // namespace
}  // namespace gopnet

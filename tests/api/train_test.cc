// The run folder, stopping, and what the public functions promise about data.
#include "gopnet/train.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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

Params Small() {
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

// A class that only validation rows have cannot be learned, nor may it break anything.
TEST(Folds, LeaveOutValidationRowsOfUnknownClasses) {
  const testing::Arrays a = testing::MakeArrays(60, 3);
  TrainData data = testing::Data(a);
  data.val = data.train;
  data.val.classes.push_back("never seen");
  data.val.labels.assign(data.val.labels.size(), static_cast<int32_t>(data.val.classes.size() - 1));
  data.val.labels[0] = 0;
  const TrainResult r = Train("s-elm", data, Params().Set("folds", 2).Set("block_size", 5));
  EXPECT_EQ(r.history.data.at("train"), 61);
}

// Rows that are all right ask for no certainty beyond measure.
TEST(Temperature, IsBoundedForCrossEntropy) {
  testing::Arrays a = testing::MakeArrays(400, 3);
  for (size_t n = 0; n < 400; ++n) a.x(n, 0) = 5 * static_cast<float>(a.labels[n]);
  const TrainResult r = Train("popfast", testing::Data(a), Small().Set("epochs", 30));
  EXPECT_LT(r.history.metrics.at("val").at("loss"), 0.7);
  EXPECT_LE(r.model.impl().data.temperature, 3);
}

// Rows beyond the limit are drawn, others for each network, the same for any number of threads.
TEST(Ensemble, NetworksLearnFromSomeOfVeryManyRows) {
  const testing::Arrays a = testing::MakeArrays(200, 3);
  const Params two = Small().Set("ensemble", 2).Set("val_split", 0.25);
  const auto bytes = [&](int rows, int threads) {
    Params params = two;
    params.Set("network_rows", rows).Set("threads", threads);
    Model model = Train("popfast", testing::Data(a), params).model;
    return model.impl().data.ensemble.members.at(0).network.output.w.Row(0)[0];
  };
  EXPECT_EQ(bytes(40, 1), bytes(40, 2));
  EXPECT_EQ(bytes(200, 1), bytes(1000, 1));
  EXPECT_NE(bytes(40, 1), bytes(200, 1));
}

TEST(Topology, IsWiderForManyRows) {
  const auto topology = [](size_t rows) {
    const testing::Arrays a = testing::MakeArrays(rows, 3);
    const Params quick = Params()
                             .Set("ensemble", 1)
                             .Set("epochs", 0)
                             .Set("nodal", "multiplication")
                             .Set("pool", "sum")
                             .Set("activation", "tanh");
    return Train("popfast", testing::Data(a), quick).model.impl().data.parameters.at("topology");
  };
  EXPECT_EQ(topology(100), "40,40,40");
  EXPECT_EQ(topology(7000), "80,80,80");
}

TEST(RunFolder, HoldsConfigJournalModelAndMetrics) {
  const Matrix x = Waves(80);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const TempFolder folder;
  const std::string run = folder.Path("runs/first");
  const TrainResult result = Train("popmem-o", data, Small(), {.run_folder = run});
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
  EXPECT_EQ(candidates % 6, 0);  // 2 x 1 x 3 sets a layer
  EXPECT_GE(candidates, 6);
  EXPECT_ERROR("is not empty", Train("popmem-o", data, Small(), {.run_folder = run}));
}

TEST(RunFolder, IsNotLeftBehindByAnError) {
  const Matrix x = Waves(30);
  TrainData data;
  data.train = MakeDataset(x, std::vector<std::string>(30, "same"));
  const TempFolder folder;
  EXPECT_ERROR("only one class, 'same'",
               Train("popfast", data, Small(), {.run_folder = folder.Path("run")}));
  EXPECT_FALSE(fs::exists(folder.Path("run")));
}

class StopAtSecondLayer : public Observer {
 public:
  void OnLayer(const LayerRecord&, int index, bool) override { stop_ = index >= 1; }
  bool Continue() override { return !stop_; }

 private:
  std::atomic<bool> stop_{false};
};

TEST(Stopping, KeepsTheNetworkSoFarAsAUsableCheckpoint) {
  const Matrix x = Waves(80);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const TempFolder folder;
  StopAtSecondLayer observer;
  EXPECT_THROW(
      Train("popfast", data, Small(), {.run_folder = folder.Path("run"), .observer = &observer}),
      Stopped);
  EXPECT_FALSE(fs::exists(folder.Path("run/model.safetensors")));
  const Model model = Model::Load(folder.Path("run/checkpoint.safetensors"));
  EXPECT_EQ(model.layers().size(), 1u);
  EXPECT_EQ(model.PredictClass(x).size(), 80u);
}

TEST(Predict, ConstantAndExtremeColumnsStayFinite) {
  Matrix x = Waves(80);
  for (size_t n = 0; n < 80; ++n) x(n, 4) = 3;
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const Model model = Train("popmem-o", data, Small()).model;
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
  const TrainResult r = Train("popfast", data, Small().Set("loss", "mse").Set("epochs", 30));
  const Matrix p = r.model.Predict(x);
  for (size_t n = 0; n < 120; ++n) EXPECT_NEAR(p(n, 0) + p(n, 1), 1, 1e-5);
  EXPECT_LT(r.history.metrics.at("train").at("loss"), 0.5);
}

TEST(Predict, WrongNumberOfColumnsIsAnError) {
  const Matrix x = Waves(40);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const Model model = Train("popfast", data, Small()).model;
  EXPECT_ERROR("data have 4 columns, the model was trained on 5", model.Predict(Matrix(3, 4)));
}

TEST(Evaluate, CountsUnknownLabelsAsErrors) {
  const Matrix x = Waves(40);
  TrainData data;
  data.train = MakeDataset(x, Names(x));
  const Model model = Train("popfast", data, Small()).model;
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

// A run that is stopped before its first layer is complete leaves the best network so far.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <optional>

#include "gopnet/gopnet.h"
#include "support/small_params.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using testing::Arrays;
using testing::Data;
using testing::MakeArrays;
using testing::SmallFor;

// Stops at the first network and keeps the result.
class Leaver : public Observer {
 public:
  void OnCandidate(const CandidateEvent&) override { stop_ = true; }
  void OnBlock(const BlockRecord&, int, int, bool) override { stop_ = true; }
  void OnLayer(const LayerRecord&, int, bool) override { stop_ = true; }
  void OnCheckpoint(const Model& model, const History&) override { model_ = model; }
  bool Continue() override { return !stop_; }
  const std::optional<Model>& model() const { return model_; }

 private:
  std::atomic<bool> stop_{false};
  std::optional<Model> model_;
};

class Interrupted : public ::testing::TestWithParam<std::string> {};

TEST_P(Interrupted, LeavesTheBestNetworkSoFar) {
  const std::string algorithm = GetParam();
  const Arrays a = MakeArrays(110, 1);
  for (const Task task : {Task::kClassification, Task::kRegression}) {
    for (const int threads : {1, 3}) {
      const TempFolder folder;
      Leaver observer;
      TrainOptions options{folder.Path("run")};
      options.observer = &observer;
      const TrainData data = Data(a, task);
      EXPECT_THROW(Train(algorithm, data, SmallFor(algorithm).Set("threads", threads), options),
                   Stopped);
      ASSERT_TRUE(observer.model());
      const Matrix outputs = observer.model()->Predict(data.train.x);
      ASSERT_EQ(outputs.rows(), data.train.x.rows);
      for (size_t i = 0; i < outputs.rows() * outputs.cols(); ++i)
        ASSERT_TRUE(std::isfinite(outputs.data()[i]));
      const Model kept = Model::Load(folder.Path("run/checkpoint.safetensors"));
      EXPECT_EQ(kept.ToBytes(), observer.model()->ToBytes());
    }
  }
}

// Stops after the search of an ensemble, while its networks are trained.
class LaterLeaver : public Observer {
 public:
  explicit LaterLeaver(int asks) : asks_(asks) {}
  void OnMember(const MemberEvent&) override { ++members; }
  void OnCheckpoint(const Model& model, const History&) override { models.push_back(model); }
  bool Continue() override { return models.empty() || --asks_ > 0; }
  std::vector<Model> models;
  int members = 0;

 private:
  std::atomic<int> asks_;
};

// Correctly classified rows of the models of runs that are stopped after given numbers of calls of
// GoOn.
std::vector<size_t> RightOfModels(int asks, int threads) {
  LaterLeaver observer(asks);
  TrainOptions options;
  options.observer = &observer;
  const Params params = Params()
                            .Set("topology", "20")
                            .Set("ensemble", 2)
                            .Set("epochs", 5000)
                            .Set("search_epochs", 600)
                            .Set("nodal", "multiplication,harmonic")
                            .Set("pool", "sum")
                            .Set("threads", threads);
  const Arrays a = MakeArrays(300, 2);
  EXPECT_THROW(Train("popfast", Data(a), params, options), Stopped);
  EXPECT_EQ(observer.members, 0);
  std::vector<size_t> right;
  for (const Model& model : observer.models) {
    const std::vector<int> predicted = model.PredictClass(Data(a).train.x);
    right.push_back(0);
    for (size_t n = 0; n < predicted.size(); ++n)
      right.back() +=
          model.classes()[static_cast<size_t>(predicted[n])] == std::to_string(a.labels[n]);
  }
  return right;
}

TEST(InterruptedEnsemble, LeavesTheNetworksInTrainingOnceTheyAreBetterThanTheSearch) {
  for (const int threads : {1, 2}) {
    const std::vector<size_t> soon = RightOfModels(1, threads),
                              later = RightOfModels(1500, threads);
    EXPECT_EQ(soon.back(), soon.front());  // the network of the search
    EXPECT_EQ(later.front(), soon.front());
    EXPECT_GT(later.back(), later.front() + 20);
  }
}

// Records every epoch and detects overlapping calls.
class EpochKeeper : public Observer {
 public:
  void OnEpoch(const EpochEvent& event) override {
    EXPECT_EQ(++inside_, 1);
    epochs.push_back(event);
    --inside_;
  }
  std::vector<EpochEvent> epochs;

 private:
  std::atomic<int> inside_{0};
};

Params SmallAverage(int threads) {
  return Params()
      .Set("topology", "8,6")
      .Set("ensemble", 3)
      .Set("epochs", 12)
      .Set("finetune_epochs", 2)
      .Set("nodal", "multiplication,harmonic,quadratic")
      .Set("pool", "sum")
      .Set("threads", threads);
}

TEST(Epochs, OfEveryNetworkOfAnAverageAreReportedInOrder) {
  const Arrays a = MakeArrays(300, 2);
  const TrainData data = Data(a);
  std::string model;
  for (const int threads : {1, 3}) {
    EpochKeeper keeper;
    TrainOptions options;
    options.observer = &keeper;
    const std::string bytes =
        Train("popfast", data, SmallAverage(threads), options).model.ToBytes();
    EXPECT_TRUE(model.empty() || bytes == model);
    model = bytes;
    for (int network = 1; network <= 3; ++network) {
      std::vector<int> first_layer, tuning;
      for (const EpochEvent& event : keeper.epochs) {
        if (event.network != network) continue;
        EXPECT_EQ(event.networks, 3);
        EXPECT_TRUE(event.val.count("loss"));
        EXPECT_EQ(event.epochs, event.layer > 0 ? 12 : 2);
        EXPECT_EQ(event.operator_set.size(), event.layer > 0 ? 3u : 0u);
        if (event.layer == 1) first_layer.push_back(event.epoch);
        if (event.layer == 0) tuning.push_back(event.epoch);
      }
      EXPECT_EQ(first_layer, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
      EXPECT_EQ(tuning, (std::vector<int>{1, 2}));
    }
  }
}

TEST(Epochs, OfASingleNetworkAreThoseOfFineTuning) {
  EpochKeeper keeper;
  TrainOptions options;
  options.observer = &keeper;
  const Arrays a = MakeArrays(110, 2);
  Train("popfast", Data(a), SmallAverage(2).Set("ensemble", 1), options);
  ASSERT_EQ(keeper.epochs.size(), 2u);
  for (const EpochEvent& event : keeper.epochs) EXPECT_EQ(event.network + event.layer, 0);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const AlgorithmInfo& a : Algorithms()) names.push_back(a.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Interrupted, ::testing::ValuesIn(Names()), [](const auto& p) {
  std::string name = p.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace gopnet

// Functions of Model other than plain predictions: bytes, classes, hidden features and threads; and
// checkpoints with the best network of a stopped run.
#include "gopnet/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "base/stop_check.h"
#include "gopnet/gopnet.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

Params Small() {
  Params p;
  return p.Set("ensemble", 1)
      .Set("topology", "5,4")
      .Set("epochs", 4)
      .Set("finetune_epochs", 1)
      .Set("nodal", "harmonic")
      .Set("pool", "sum");
}

TEST(Model, SurvivesARoundTripThroughBytes) {
  const testing::Arrays a = testing::MakeArrays(60, 1);
  const Model model = Train("popmem-o", testing::Data(a), Small()).model;
  const Model copy = Model::FromBytes(model.ToBytes());
  EXPECT_EQ(copy.ToBytes(), model.ToBytes());
  EXPECT_EQ(copy.PredictClass(a.x), model.PredictClass(a.x));
  EXPECT_ERROR("model", Model::FromBytes(model.ToBytes().substr(0, 50)));
}

TEST(Model, ProbabilitiesAreTheSoftmaxOfDecisions) {
  const testing::Arrays a = testing::MakeArrays(300, 1);  // more than one chunk of rows
  for (const char* algorithm : {"popmem-o", "pln"}) {     // pln has a softmax temperature
    const Params p = algorithm == std::string("pln") ? Params() : Small();
    const Model model = Train(algorithm, testing::Data(a), p).model;
    const Matrix decision = model.Decision(a.x), proba = model.Predict(a.x);
    ASSERT_EQ(decision.rows(), 300u);
    for (size_t n = 0; n < decision.rows(); ++n) {
      double sum = 0;
      for (size_t c = 0; c < decision.cols(); ++c)
        sum += std::exp(static_cast<double>(decision(n, c)));
      for (size_t c = 0; c < decision.cols(); ++c)
        EXPECT_NEAR(proba(n, c), std::exp(static_cast<double>(decision(n, c))) / sum, 1e-5)
            << algorithm;
    }
  }
}

TEST(Model, FeaturesAreNeuronsAndMemoryOfTheLastLayer) {
  const testing::Arrays a = testing::MakeArrays(300, 1);
  const Model model = Train("popmem-o", testing::Data(a), Small()).model;
  const LayerInfo last = model.layers().back();
  const Matrix features = model.Features(a.x);
  EXPECT_EQ(features.rows(), 300u);
  EXPECT_EQ(features.cols(), static_cast<size_t>(last.units + last.memory_dims));
  EXPECT_EQ(features.cols(), model.hidden());
  const Matrix one =
      model.Features({a.x.Row(299), 1, a.x.cols()});  // same bits as in a batch, in any chunk
  for (size_t j = 0; j < features.cols(); ++j) EXPECT_EQ(one(0, j), features(299, j));
  EXPECT_ERROR("columns", model.Features({a.x.data(), 1, a.x.cols() - 1}));
}

TEST(Model, PredictsTheSameBytesOnAnyNumberOfThreads) {
  const testing::Arrays a = testing::MakeArrays(60, 1), many = testing::MakeArrays(9999, 2);
  const Model model = Train("popmem-o", testing::Data(a), Small()).model;
  const auto same = [](const Matrix& one, const Matrix& other) {
    return one.rows() == other.rows() &&
           std::equal(one.data(), one.data() + one.rows() * one.cols(), other.data());
  };
  for (const int threads : {2, 5, 0}) {
    EXPECT_TRUE(same(model.Predict(many.x, threads), model.Predict(many.x))) << threads;
    EXPECT_TRUE(same(model.Decision(many.x, threads), model.Decision(many.x))) << threads;
    EXPECT_TRUE(same(model.Features(many.x, threads), model.Features(many.x))) << threads;
    EXPECT_EQ(model.PredictClass(many.x, threads), model.PredictClass(many.x)) << threads;
    EXPECT_EQ(model.Predict({many.x.data(), 0, many.x.cols()}, threads).rows(), 0u);
    EXPECT_ERROR("columns", model.Predict({many.x.data(), 9, many.x.cols() - 1}, threads));
  }
}

TEST(Model, ExceptionsOfAThreadReachTheCaller) {
  const testing::Arrays a = testing::MakeArrays(60, 1), many = testing::MakeArrays(50000, 2);
  const Model model = Train("popmem-o", testing::Data(a), Small()).model;
  const auto caller = std::this_thread::get_id();
  const StopCheck check([&] {
    if (std::this_thread::get_id() != caller) throw Stopped("on a thread of its own");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // let the other threads start
  });
  EXPECT_THROW(model.Predict(many.x, 4), Stopped);
  EXPECT_THROW(model.PredictClass(many.x, 2), Stopped);
  EXPECT_EQ(model.Predict(a.x, 1).rows(), 60u);
}

struct StopAfterLayer : Observer {
  std::optional<TrainResult> best;
  void OnCheckpoint(const Model& model, const History& history) override {
    best = TrainResult{model, history};
  }
  bool Continue() override { return !best; }
};

TEST(Checkpoint, IsTheBestNetworkOfAStoppedTraining) {
  const testing::Arrays a = testing::MakeArrays(60, 1);
  StopAfterLayer observer;
  EXPECT_THROW(Train("popmem-o", testing::Data(a), Small(), {.observer = &observer}), Stopped);
  ASSERT_TRUE(observer.best);
  EXPECT_EQ(observer.best->model.layers().size(), 1u);
  EXPECT_EQ(observer.best->history.layers.size(), 1u);
  const Model shallow =
      Train("popmem-o", testing::Data(a), Small().Set("topology", "5").Set("finetune_epochs", 0))
          .model;
  EXPECT_EQ(observer.best->model.PredictClass(a.x), shallow.PredictClass(a.x));
}

}  // namespace
}  // namespace gopnet

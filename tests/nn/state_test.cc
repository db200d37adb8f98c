// The state of a run on disk is either restored exactly or rejected as damaged.
#include "nn/state.h"

#include <gtest/gtest.h>

#include "grow/find_once.h"
#include "support/temp_file.h"
#include "support/toy_network.h"
#include "support/toy_problem.h"

namespace gopnet {
namespace {

constexpr OperatorSet kSet{4, 1, 0};

template <class T>
std::string Bytes(const T& value) {
  ArchiveWriter write;
  write(value);
  return write.Take();
}

// Found by fuzzing: the message quoted an unknown name including its line breaks.
TEST(State, UnknownOperatorsAreReportedAsDamage) {
  OperatorSet phi;
  for (const char* pool : {"su\nm", "", "sum "}) {
    const std::string bytes = Bytes(std::vector<std::string>{"dog", pool, "tanh"});
    const std::string message = ErrorOf([&] { ArchiveReader(bytes, "x.bin").operator()(phi); });
    EXPECT_EQ(message.find("x.bin: "), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  ArchiveReader(Bytes(kSet), "x").operator()(phi);
  EXPECT_EQ(phi, kSet);
}

TEST(State, NetworksWithInconsistentShapesAreRejected) {
  const Network net = testing::ToyLayers({kSet, kSet}, 5, 4, 3);
  EXPECT_NO_THROW(CheckShapes(net, 5, 3, "x"));
  const auto refused = [&](const std::function<void(Network&)>& change) {
    Network changed = net;
    change(changed);
    return !ErrorOf([&] { CheckShapes(changed, 5, 3, "x"); }).empty();
  };
  EXPECT_TRUE(refused([](Network& n) { n.layers.clear(); }));
  EXPECT_TRUE(refused([](Network& n) { n.layers[0].blocks.clear(); }));
  EXPECT_TRUE(refused([](Network& n) { n.layers[1].keeps_input = true; }));
  EXPECT_TRUE(refused([](Network& n) { n.layers[1].blocks[0].w = Mat(4, 4, 4); }));
  EXPECT_TRUE(refused([](Network& n) { n.layers[0].blocks[0].gamma = Mat(); }));
  EXPECT_TRUE(refused([](Network& n) { n.layers[0].memory.emplace(); }));
  EXPECT_TRUE(refused([](Network& n) { n.output.w = Mat(5, 3); }));
  EXPECT_TRUE(refused([](Network& n) { n.output.b = Mat(1, 2); }));
}

TEST(State, RestoredTrainingEndsWithTheSameBits) {
  const Problem problem = testing::ToyProblem(60, 5, 3);
  TrainingConfig config;
  config.epochs = 12;
  config.batch_size = 16;
  const LayerTask task = testing::ToyTask(problem, 4, config);
  LayerWorkspace work;
  const auto go_on = [] { return true; };
  LayerTraining whole(task, OperatorPair(kSet), 0);
  whole.Advance(12, work, go_on);
  for (const int stop : {0, 1, 4, 5, 11}) {  // stages of 4 epochs
    LayerTraining first(task, OperatorPair(kSet), 0);
    first.Advance(stop, work, go_on);
    LayerTraining second(task, OperatorPair(kSet), 0);
    second.Restore(first.Save(), "x");
    second.Advance(12, work, go_on);
    EXPECT_EQ(second.Save(), whole.Save()) << stop;
  }
}

TEST(State, TrainingRejectsTheStateOfAnotherCandidate) {
  const Problem problem = testing::ToyProblem(60, 5, 3);
  const LayerTask task = testing::ToyTask(problem, 4, {}), wider = testing::ToyTask(problem, 5, {});
  LayerTraining training(task, OperatorPair(kSet), 0);
  const std::string state = LayerTraining(task, OperatorPair({4, 0, 0}), 0).Save();
  EXPECT_ERROR("damaged", training.Restore(state, "x"));
  EXPECT_ERROR("damaged",
               training.Restore(LayerTraining(wider, OperatorPair(kSet), 0).Save(), "x"));
}

}  // namespace
}  // namespace gopnet

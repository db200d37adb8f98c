// The two-pass iterative search of POP: the number of trainings, and that it stores the network it
// found.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/model_impl.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using testing::Data;
using testing::MakeArrays;

using Sets = std::pair<std::vector<std::string>, std::vector<std::string>>;  // hidden, output

// Every pair that was trained, by layer, in the order of training.
class Pairs : public Observer {
 public:
  void OnCandidate(const CandidateEvent& e) override {
    trained[e.layer].push_back({e.operator_set, e.output_set});
    score[e.layer][trained[e.layer].back()] = e.val.at("accuracy");
  }
  std::map<int, std::vector<Sets>> trained;
  std::map<int, std::map<Sets, double>> score;
};

// The epochs at which candidates were compared.
class Epochs : public Observer {
 public:
  void OnCandidate(const CandidateEvent& e) override { seen.insert(e.epochs); }
  std::set<int> seen;
};

Params Exhaustive() {
  Params p;
  p.Set("ensemble", 1)
      .Set("search", "exhaustive")
      .Set("epochs", 6)
      .Set("finetune_epochs", 0)
      .Set("topology", "7,6");
  p.Set("nodal", "multiplication,harmonic,gaussian").Set("pool", "sum,maximum");
  return p.Set("activation", "tanh,relu").Set("layer_threshold", 0).Set("threads", 1);
}

TEST(Pop, TrainsEachPairOnceAndAtMostFourTimesTheLibrary) {
  const size_t library = 3 * 2 * 2;
  bool second_pass = false;
  for (int seed = 1; seed <= 4; ++seed) {
    Pairs pairs;
    Train("pop", Data(MakeArrays(120, 1)), Exhaustive().Set("seed", seed),
          {.run_folder = {}, .observer = &pairs});
    for (const auto& [layer, trained] : pairs.trained) {
      EXPECT_EQ(std::set<Sets>(trained.begin(), trained.end()).size(), trained.size());
      EXPECT_LE(trained.size(), 4 * library);
      EXPECT_GE(trained.size(), 2 * library - 1);  // two loops share the pair between them
      second_pass |= trained.size() > 2 * library;
    }
  }
  EXPECT_TRUE(second_pass) << "no case had a second pass";
}

// Guards against a bug of the authors' library: operators of an earlier loop with weights of a
// later one.
TEST(Pop, StoresTheOperatorsAndWeightsOfTheLastLoopsWinner) {
  for (int seed = 1; seed <= 4; ++seed) {
    Pairs pairs;
    const TrainResult r = Train("pop", Data(MakeArrays(120, 1)), Exhaustive().Set("seed", seed),
                                {.run_folder = {}, .observer = &pairs});
    const LayerRecord& last = r.history.layers.back();
    EXPECT_EQ(r.model.layers().back().operator_set, last.operator_set);
    EXPECT_EQ(r.model.output_operator_set(), last.output_set);
    for (const auto& [metric, value] : last.val)  // of the stored network, evaluated anew
      EXPECT_EQ(r.history.metrics.at("val").at(metric), value) << metric;
    const auto layer = static_cast<int>(r.history.layers.size());
    const double found = pairs.score[layer].at({last.operator_set, last.output_set});
    EXPECT_EQ(last.val.at("accuracy"), found);
    for (const auto& [sets, score] : pairs.score[layer]) {
      if (sets.second == last.output_set) {
        EXPECT_LE(score, found);
      }
    }
  }
}

TEST(Pop, HalvingTrainsNoPairTwiceEither) {
  Pairs pairs;
  Params p = Exhaustive().Set("search", "halving").Set("epochs", 30).Set("topology", "7");
  const History h =
      Train("pop", Data(MakeArrays(120, 1)), p, {.run_folder = {}, .observer = &pairs}).history;
  const std::set<Sets> distinct(pairs.trained[1].begin(), pairs.trained[1].end());
  EXPECT_EQ(static_cast<size_t>(h.layers[0].candidates), distinct.size());
}

// Fewer hidden sets than halving needs, more output sets: a pair would be compared at other epochs.
TEST(Pop, ComparesAllPairsOfASearchAtTheSameEpochs) {
  const testing::Arrays a = MakeArrays(120, 1);
  TrainData data = Data(a);
  Matrix one(data.train.rows(), 1);
  for (size_t n = 0; n < one.rows(); ++n) one(n, 0) = data.train.x.Row(n)[0];
  data.train = MakeDataset(one, a.labels);
  for (int seed = 1; seed <= 12; ++seed) {
    const Params p = Exhaustive()
                         .Set("search", "halving")
                         .Set("epochs", 30)
                         .Set("topology", "6")
                         .Set("nodal", "multiplication")
                         .Set("pool", "sum,maximum,correlation1,correlation2")
                         .Set("activation", "tanh")
                         .Set("seed", seed);
    Epochs epochs;
    Train("pop", data, p, {.run_folder = {}, .observer = &epochs});
    EXPECT_EQ(epochs.seen, (std::set<int>{2, 6, 18, 30})) << "seed " << seed;
  }
}

TEST(Pop, NetworksOfAnAverageHaveTheOutputOperatorsThatTheSearchFound) {
  Pairs pairs;
  const Params p =
      Exhaustive().Set("ensemble", 4).Set("search_epochs", 6).Set("linear_member", "false");
  const Model model =
      Train("pop", Data(MakeArrays(120, 1)), p, {.run_folder = {}, .observer = &pairs}).model;
  size_t other = 0;  // sets that differ from the first layer
  for (const Member& member : model.impl().data.ensemble.members) {
    const Sets sets(Names(member.network.layers.at(0).blocks[0].phi),
                    Names(*member.network.output.phi));
    other += sets.first != sets.second ? 1 : 0;
    const auto& score = pairs.score[1];
    ASSERT_TRUE(score.count(sets));
    for (const auto& [tried, accuracy] : score) {
      if (tried.first == sets.first) {
        EXPECT_LE(accuracy, score.at(sets));
      }
    }
  }
  EXPECT_GT(other, 0u);
}

// Then the output has the operators of the hidden layers, which fit.
TEST(Pop, NetworksOfAnAverageGrowThoughALayerIsTooNarrowForTheOutputOperators) {
  size_t correlated = 0, grown = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    const Params p = Exhaustive()
                         .Set("ensemble", 3)
                         .Set("search_epochs", 6)
                         .Set("pool", "sum,correlation2")
                         .Set("topology", "7,2")
                         .Set("patience", 2)
                         .Set("seed", seed)
                         .Set("linear_member", "false");
    Pairs pairs;
    const Model model =
        Train("pop", Data(MakeArrays(120, 1)), p, {.run_folder = {}, .observer = &pairs}).model;
    for (const Member& member : model.impl().data.ensemble.members) {
      const auto hidden = Names(member.network.layers.at(0).blocks[0].phi);
      const Sets* best = nullptr;
      for (const auto& [tried, accuracy] : pairs.score[1])
        if (tried.first == hidden && (!best || accuracy > pairs.score[1][*best])) best = &tried;
      ASSERT_NE(best, nullptr);
      if (best->second[1] != "correlation2") continue;
      ++correlated;
      grown += member.network.layers.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(correlated, 0u);
  EXPECT_GT(grown, 0u);
}

TEST(Pop, SaysThatALayerIsTooNarrowForTheOutputsPool) {
  Params p = Exhaustive().Set("pool", "correlation1").Set("topology", "1");
  EXPECT_ERROR("1 input", Train("pop", Data(MakeArrays(60, 1)), p));
}

}  // namespace
}  // namespace gopnet

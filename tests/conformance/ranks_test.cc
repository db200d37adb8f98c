// Every algorithm yields the same bytes on one rank and on several, even if ranks are lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "gopnet/gopnet.h"
#include "support/small_params.h"
#include "support/temp_file.h"
#include "support/thread_ranks.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using testing::Arrays;
using testing::Data;
using testing::JobOptions;
using testing::MakeArrays;
using testing::SmallFor;
using testing::ThreadJob;

struct RankCase {
  std::string name, algorithm;
  std::map<std::string, std::string> settings;
};

std::vector<RankCase> RankCases() {
  std::vector<RankCase> cases;
  for (const AlgorithmInfo& a : Algorithms()) {
    const auto has = [&](const char* name) { return Resolve(a.name, {}).count(name) != 0; };
    cases.push_back({a.name, a.name, {}});
    if (has("search"))
      cases.push_back({a.name + "_exhaustive", a.name, {{"search", "exhaustive"}}});
    if (has("grid")) cases.push_back({a.name + "_grid", a.name, {{"grid", "paper"}}});
    if (has("ensemble")) {
      cases.push_back({a.name + "_ensemble",
                       a.name,
                       {{"ensemble", "3"}, {"search_epochs", "4"}, {"schedule", "cosine"}}});
    }
    cases.push_back({a.name + "_folds", a.name, {{"folds", "3"}}});
    if (has("regulariser"))
      cases.push_back({a.name + "_best_of_two", a.name, {{"regulariser", "best_of_two"}}});
  }
  for (RankCase& c : cases) std::replace(c.name.begin(), c.name.end(), '-', '_');
  return cases;
}

void PrintTo(const RankCase& c, std::ostream* out) { *out << c.name; }

Params ParamsOf(const RankCase& c) {
  Params params = SmallFor(c.algorithm);
  for (const auto& [name, value] : c.settings) params.Set(name, value);
  return params;
}

class EveryAlgorithmOnRanks : public ::testing::TestWithParam<RankCase> {};

TEST_P(EveryAlgorithmOnRanks, GivesTheBytesOfOneProcess) {
  const RankCase& c = GetParam();
  const Arrays a = MakeArrays(110, 1);
  const TempFolder folder;
  Params params = ParamsOf(c);
  Train(c.algorithm, Data(a), params.Set("threads", 1), {folder.Path("alone")});
  const std::string alone = ReadBytes(folder.Path("alone/model.safetensors"));
  for (const int size : {2, 3}) {
    const int threads = size - 1;
    const std::string name = "ranks" + std::to_string(size);
    ThreadJob(JobOptions{.size = size}).Run([&](Ranks& ranks) {
      TrainData data = Data(a);
      ranks.Share(data, {});
      TrainOptions options{folder.Path(name)};
      options.ranks = &ranks;
      const TrainResult result = Train(c.algorithm, data, params.Set("threads", threads), options);
      EXPECT_EQ(result.history.ranks.size(), static_cast<size_t>(size));
    });
    EXPECT_EQ(ReadBytes(folder.Path(name + "/model.safetensors")), alone) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, EveryAlgorithmOnRanks, ::testing::ValuesIn(RankCases()),
                         [](const auto& test) { return test.param.name; });

// Calls `what` whenever training asks whether to continue, which it does often.
class Watching : public Observer {
 public:
  explicit Watching(std::function<bool()> what) : what_(std::move(what)) {}
  bool Continue() override { return what_(); }

 private:
  std::function<bool()> what_;
};

struct Stage {
  Arrays arrays = MakeArrays(150, 2);
  TempFolder folder;
  Params params = SmallFor("popmem-o").Set("epochs", 30).Set("threads", 1);
  std::string alone;

  // Enough epochs that the other ranks can take part.
  explicit Stage(int epochs = 30) {
    params.Set("epochs", epochs).Set("search", epochs > 100 ? "exhaustive" : "halving");
    Train("popmem-o", Data(arrays), params, {folder.Path("alone")});
    alone = ReadBytes(folder.Path("alone/model.safetensors"));
  }
  void TrainOn(Ranks& ranks, Observer* observer, bool resume = false) {
    TrainData data = Data(arrays);
    ranks.Share(data, {});
    TrainOptions options{folder.Path("run"), observer};
    options.ranks = &ranks;
    options.resume = resume;
    Train("popmem-o", data, params, options);
  }
  std::string run() const { return ReadBytes(folder.Path("run/model.safetensors")); }
};

TEST(Ranks, TheOthersFinishTheWorkOfARankThatDies) {
  for (const int after : {1, 20, 60}) {
    Stage stage;
    ThreadJob job({.size = 3, .messages = {0.02, 0.3, 0.3}});
    std::atomic<int> looks{0};
    Watching observer([&] {
      if (++looks == after) job.Cut(1 + after % 2);
      return true;
    });
    job.Run([&](Ranks& ranks) {
      stage.TrainOn(ranks, &observer);
      // a short run may end before the loss of a rank is noticed
    });
    EXPECT_EQ(stage.run(), stage.alone) << after;
  }
}

TEST(Ranks, AStoppedRunGoesOnWithAnyNumberOfRanks) {
  Stage stage;
  int size = 3, stops = 0;
  for (int patience = 5;; patience *= 2) {
    std::atomic<int> left{patience};
    Watching observer([&] { return left.fetch_sub(1) > 0; });
    try {
      ThreadJob(JobOptions{.size = size}).Run([&](Ranks& ranks) {
        stage.TrainOn(ranks, &observer,
                      std::filesystem::exists(stage.folder.Path("run/config.json")));
      });
      break;
    } catch (const Stopped&) {
      ++stops;
      size = size % 4 + 1;
    }
  }
  EXPECT_GE(stops, 2);
  EXPECT_EQ(stage.run(), stage.alone);
}

TEST(Ranks, ASignalToAnyRankStopsTheJob) {
  Stage stage;
  std::atomic<int> looks{0};
  JobOptions options{.size = 3};
  options.go_on = [&](int rank) { return rank != 2 || looks < 10; };
  Watching observer([&] { return ++looks > 0; });
  EXPECT_THROW(ThreadJob(options).Run([&](Ranks& ranks) {
    for (;;) stage.TrainOn(ranks, &observer, false);  // until the signal is noticed
  }),
               std::exception);
}

TEST(Ranks, RanksOfSeveralMachinesGetTheRows) {
  Stage stage;
  // rank 0 alone, and two machines with two ranks each; no rank finds the file
  ThreadJob job({.size = 5, .machines = {"a", "b", "b", "c", "c"}});
  job.Run([&](Ranks& ranks) { stage.TrainOn(ranks, nullptr); });
  EXPECT_EQ(stage.run(), stage.alone);
}

// Enough rows that gopnet does not use folds and that the sums of the memory have two parts.
TEST(Ranks, TheMemoryOfManyRowsIsTheSameOnRanks) {
  constexpr size_t kRows = 25'000, kCols = 12;
  Matrix x(kRows, kCols);
  std::vector<int64_t> labels;
  std::mt19937 random(5);
  for (size_t n = 0; n < kRows; ++n) {
    for (size_t j = 0; j < kCols; ++j) x(n, j) = static_cast<float>(random() % 1000) / 1000;
    labels.push_back(x(n, 0) + x(n, 1) > 1);
  }
  Params params;
  params.Set("topology", 2).Set("epochs", 1).Set("finetune_epochs", 0).Set("threads", 1);
  params.Set("nodal", "multiplication").Set("pool", "sum");
  const TempFolder folder;
  for (const char* memory : {"pca", "lda"}) {
    params.Set("memory", memory);
    TrainData data;
    data.train = MakeDataset(x, labels);
    Train("popmem-o", data, params, {folder.Path(memory)});
    const std::string name = std::string(memory) + "-ranks";
    ThreadJob(JobOptions{.size = 3}).Run([&](Ranks& ranks) {
      TrainData shared = data;
      ranks.Share(shared, {});
      TrainOptions options{folder.Path(name)};
      options.ranks = &ranks;
      Train("popmem-o", shared, params, options);
    });
    EXPECT_EQ(ReadBytes(folder.Path(name + "/model.safetensors")),
              ReadBytes(folder.Path(std::string(memory) + "/model.safetensors")));
  }
}

TEST(Ranks, ARankThatFindsOtherRowsGetsThoseOfRank0) {
  Stage stage(400);
  const Arrays other = MakeArrays(150, 3);
  JobOptions options{.size = 2};
  options.load = [&](const Ranks::Source&) { return Data(other); };
  ThreadJob(options).Run([&](Ranks& ranks) {
    TrainData data = Data(stage.arrays);
    ranks.Share(data, {{"train", "/rows.npy"}});  // every rank reads this file itself
    TrainOptions train{stage.folder.Path("run")};
    train.ranks = &ranks;
    const TrainResult result = Train("popmem-o", data, stage.params, train);
    EXPECT_GT(result.history.ranks[1].candidates, 0);
  });
  EXPECT_EQ(stage.run(), stage.alone);
}

TEST(Ranks, AComparisonGivesTheTableOfOneProcess) {
  const Arrays a = MakeArrays(110, 4);
  const TempFolder folder;
  CompareOptions options;
  options.algorithms = {"popfast", "popmem-o", "hemlgop", "bls"};
  options.runs = 2;
  options.params =
      SmallFor("popmem-o").Set("memory", "pca").Set("test_split", 0.2).Set("threads", 1);
  options.folder = folder.Path("alone");
  const Comparison alone = Compare(Data(a), options);
  ThreadJob(JobOptions{.size = 3}).Run([&](Ranks& ranks) {
    TrainData data = Data(a);
    ranks.Share(data, {});
    CompareOptions shared = options;
    shared.folder = folder.Path("shared");
    shared.ranks = &ranks;
    const Comparison c = Compare(data, shared);
    ASSERT_EQ(c.rows.size(), alone.rows.size());
    for (size_t i = 0; i < c.rows.size(); ++i) {
      EXPECT_EQ(c.rows[i].test.median, alone.rows[i].test.median) << c.rows[i].system.name;
      EXPECT_EQ(c.rows[i].failed, 0);
    }
  });
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.Path("alone"))) {
    if (!entry.is_directory()) continue;
    ++models;
    const std::string run = entry.path().filename().string() + "/model.safetensors";
    EXPECT_EQ(ReadBytes(folder.Path("shared/" + run)), ReadBytes(folder.Path("alone/" + run)))
        << run;
  }
  EXPECT_EQ(models, 10);
}

// The limit applies to each rank: to all runs together that it trains at the same time.
TEST(Ranks, AMemoryLimitIsThatOfEachRank) {
  const Arrays a = MakeArrays(110, 4);
  const TempFolder folder;
  CompareOptions options;
  options.algorithms = {"bls"};
  options.runs = 6;
  options.params = SmallFor("bls").Set("test_split", 0.2).Set("threads", 1);
  const auto compare = [&](size_t limit, const std::string& name) {
    options.memory_limit = limit;
    options.folder = folder.Path(name);
    ThreadJob(JobOptions{.size = 3}).Run([&](Ranks& ranks) {
      TrainData data = Data(a);
      ranks.Share(data, {});
      options.ranks = &ranks;
      EXPECT_EQ(Compare(data, options).rows[0].failed, 0);
    });
  };
  compare(30'000'000, "enough");  // the estimate is at least 15 MB
  EXPECT_ERROR("every run failed", compare(1'000'000, "little"));
}

}  // namespace
}  // namespace gopnet

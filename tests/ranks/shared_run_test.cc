#include "ranks/shared_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace gopnet {
namespace {

constexpr int kAnna = 0, kBen = 1, kCarl = 2;  // ranks

WorkKey Key(int candidate) { return {0, 1, 0, 0, candidate, 9}; }
std::vector<WorkKey> Keys(int count) {
  std::vector<WorkKey> keys;
  for (int i = 0; i < count; ++i) keys.push_back(Key(i));
  return keys;
}

// A store that holds one finished candidate and counts calls from any thread.
struct Store : RunStore {
  std::optional<Finished> Find(const WorkKey& key) override {
    return key.candidate == known ? std::optional(Finished{{1, 0.5, true}}) : std::nullopt;
  }
  void Add(const WorkKey&, const Finished&, const Notes&, const std::string&) override { ++added; }
  int known = -1;
  std::atomic<int> added{0};
};

struct Shared {
  std::shared_ptr<Store> store = std::make_shared<Store>();
  std::atomic<int> changes{0};
  SharedRun run{store, 3, [this] { ++changes; }};
  void Finish(int candidate, double loss = 0) {
    run.Add(Key(candidate), {{1, loss, true}}, {}, "state" + std::to_string(candidate));
  }
};

TEST(SharedRun, HandsOutEveryUnitOnceInOrder) {
  Shared shared;
  const std::string batch = shared.run.OpenBatch(Keys(3));
  EXPECT_EQ(shared.run.Next(batch, kAnna, 0).unit, 0u);
  EXPECT_EQ(shared.run.Next(batch, kBen, 0).unit, 1u);
  EXPECT_EQ(shared.run.Next(batch, kAnna, 0).unit, 2u);
  const WorkStep wait = shared.run.Next(batch, kBen, 0);
  EXPECT_FALSE(wait.unit || wait.done);
}

TEST(SharedRun, WhoeverKnowsSomeResultsIsToldTheOthers) {
  Shared shared;
  const std::string batch = shared.run.OpenBatch(Keys(3));
  for (int i = 0; i < 3; ++i) shared.run.Next(batch, kAnna, 0);
  shared.Finish(1, 0.1);
  shared.Finish(0, 0.2);
  EXPECT_EQ(shared.changes, 0);
  shared.Finish(2, 0.3);
  EXPECT_EQ(shared.changes, 1);  // waiting ranks are done now
  EXPECT_EQ(shared.store->added, 3);
  const WorkStep step = shared.run.Next(batch, kBen, 1);
  EXPECT_TRUE(step.done);
  ASSERT_EQ(step.results.size(), 2u);
  EXPECT_EQ(step.results[0].unit, 0u);
  EXPECT_EQ(step.results[0].known->score.loss, 0.2);
  EXPECT_EQ(step.results[1].unit, 2u);
  EXPECT_FALSE(step.results[1].earlier);
}

TEST(SharedRun, WhatAnEarlierPartOfTheRunDidIsKnown) {
  Shared shared;
  shared.store->known = 1;
  const std::string batch = shared.run.OpenBatch(Keys(3));
  EXPECT_EQ(shared.run.OpenBatch(Keys(3)), batch);  // another rank opens the same batch
  const WorkStep first = shared.run.Next(batch, kAnna, 0);
  EXPECT_EQ(first.unit, 0u);
  ASSERT_EQ(first.results.size(), 1u);
  EXPECT_TRUE(first.results[0].earlier);
  EXPECT_EQ(shared.run.Next(batch, kBen, 1).unit, 2u);
}

TEST(SharedRun, WorkOfALostRankIsHandedOutAgainTheHeaviestFirst) {
  Shared shared;
  const std::string batch = shared.run.OpenBatch(Keys(5));
  for (const int rank : {kBen, kAnna, kBen}) shared.run.Next(batch, rank, 0);
  shared.Finish(0);
  EXPECT_EQ(shared.run.Next(batch, kBen, 0).unit, 3u);
  shared.run.Lose(kBen);
  EXPECT_GE(shared.changes, 1);
  for (const size_t unit : {2, 3, 4}) EXPECT_EQ(shared.run.Next(batch, kCarl, 0).unit, unit);
  EXPECT_FALSE(shared.run.Next(batch, kCarl, 0).unit);
}

TEST(SharedRun, StatesOutliveTheirStageByOne) {  // a slow rank may still ask for them
  Shared shared;
  const std::string batch = shared.run.OpenBatch(Keys(2));
  shared.run.Next(batch, kAnna, 0);
  shared.run.Next(batch, kAnna, 0);
  shared.Finish(0);
  EXPECT_EQ(shared.run.LoadState(Key(0)), "state0");
  shared.run.Save("variant0-layer1-block0-search", "winner");
  EXPECT_EQ(shared.run.Load("variant0-layer1-block0-search"), "winner");
  EXPECT_EQ(shared.run.LoadState(Key(0)), "state0");
  shared.run.Save("variant1-layer1-block0-search", "");  // of others
  shared.run.Save("variant0-layer2-block0-search", "");
  EXPECT_EQ(shared.run.LoadState(Key(0)), "");
}

// Two processes with two threads each: every thread gets every result once.
TEST(SharedQueue, TellsEverybodyButTheOneWhoDidIt) {
  constexpr int kUnits = 200;
  Shared shared;
  const auto here = shared.run.Share(Keys(kUnits));
  const std::string batch = shared.run.OpenBatch(Keys(kUnits));
  SharedQueue there([&](size_t known) {
    for (;;) {
      WorkStep step = shared.run.Next(batch, kBen, known);
      if (step.unit || step.done) return step;
      std::this_thread::yield();
    }
  });
  std::vector<std::atomic<int>> done(kUnits), heard_here(kUnits), heard_there(kUnits);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      WorkQueue& queue = t < 2 ? *here : there;
      auto& heard = t < 2 ? heard_here : heard_there;
      while (const auto item = queue.Next([] { return true; })) {
        ++heard[item->unit];
        if (item->known) continue;
        ++done[item->unit];
        shared.Finish(static_cast<int>(item->unit));
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (size_t i = 0; i < kUnits; ++i) {
    EXPECT_EQ(done[i], 1) << i;
    EXPECT_EQ(heard_here[i], 1) << i;
    EXPECT_EQ(heard_there[i], 1) << i;
  }
  const std::vector<RankRecord> usage = shared.run.usage();
  EXPECT_EQ(usage[kAnna].candidates + usage[kBen].candidates, kUnits);
}

TEST(SharedQueue, EndsWhenItIsNotToGoOn) {
  Shared shared;
  const auto queue = shared.run.Share(Keys(2));
  EXPECT_TRUE(queue->Next([] { return true; }));
  EXPECT_FALSE(queue->Next([] { return false; }));
}

}  // namespace
}  // namespace gopnet

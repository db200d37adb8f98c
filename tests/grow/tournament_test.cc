#include "grow/tournament.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>

#include "base/threads.h"

namespace gopnet {
namespace {

TournamentOptions Options(size_t n, std::vector<int> rungs) {
  return {std::move(rungs), 1, std::vector<double>(n, 1.0)};
}

// Trains a rung by calling advance(candidate, epochs) on so many threads.
TrainRung OnThreads(int threads, std::function<Score(size_t, int)> advance) {
  return [=](const std::vector<size_t>& order, int epochs, const auto& done) {
    ParallelFor(order.size(), threads,
                [&](size_t i, int) { done(order[i], advance(order[i], epochs)); });
  };
}

TEST(Tournament, SameWinnerForAnyNumberOfThreads) {
  const auto score = [](size_t i) {
    return i % 7 == 3 ? 2.0 : 1.0 / (static_cast<double>(i) + 1);
  };  // ties at 3, 10, ...
  for (const int threads : {1, 2, 3, 8}) {
    for (const auto& rungs : {std::vector<int>{9}, std::vector<int>{1, 3, 9}}) {
      const size_t winner = Tournament(Options(144, rungs),
                                       OnThreads(threads,
                                                 [&](size_t i, int) {
                                                   return Score{score(i), 0.5, true};
                                                 }),
                                       [](size_t) {});
      EXPECT_EQ(winner, 3u);
    }
  }
}

TEST(Tournament, HalvingSpendsTheEpochsOfTheRungs) {
  std::atomic<int> trained{0};
  std::vector<std::atomic<int>> at(72);
  Tournament(Options(72, Rungs(true, 300)),
             OnThreads(2,
                       [&](size_t i, int epochs) {
                         trained += epochs - at[i].exchange(epochs);
                         return Score{static_cast<double>(i), 0, true};
                       }),
             [](size_t) {});
  EXPECT_EQ(Rungs(true, 300), (std::vector<int>{11, 33, 99, 300}));
  EXPECT_EQ(trained, 72 * 11 + 24 * 22 + 8 * 66 + 3 * 201);
}

TEST(Tournament, LossBreaksTiesAndDivergedCandidatesLose) {
  const Score scores[] = {{9, 0, false}, {1, 0.5, true}, {1, 0.4, true}, {0.9, 0.1, true}};
  const auto as_listed = OnThreads(2, [&](size_t i, int) { return scores[i]; });
  const auto diverged = OnThreads(1, [&](size_t, int) { return Score{}; });
  EXPECT_EQ(Tournament(Options(4, {5}), as_listed, [](size_t) {}), 2u);
  EXPECT_EQ(Tournament(Options(4, {5}), diverged, [](size_t) {}), 4u);
}

TEST(Tournament, NobodyWinsIfAllDivergeOrNobodyStarts) {
  const auto diverge = OnThreads(2, [](size_t, int) { return Score{}; });
  EXPECT_EQ(Tournament(Options(7, {1, 3, 9, 27}), diverge, [](size_t) {}), 7u);
  EXPECT_EQ(Tournament(Options(0, {1, 3}), diverge, [](size_t) {}), 0u);
}

TEST(Tournament, TiesAtTheCutAreAllPromoted) {
  std::mutex mutex;
  std::set<size_t> finalists;
  Tournament(Options(9, {1, 2}),
             OnThreads(2,
                       [&](size_t i, int epochs) {
                         const std::lock_guard lock(mutex);
                         if (epochs == 2) finalists.insert(i);
                         return Score{i < 5 ? 1.0 : 0.0, 0.3, true};
                       }),
             [](size_t) {});
  EXPECT_EQ(finalists, (std::set<size_t>{0, 1, 2, 3, 4}));
}

TEST(Tournament, EveryLoserIsFinishedOnceAndTheWinnerNever) {
  std::multiset<size_t> finished;
  const size_t winner = Tournament(Options(20, {1, 3, 9}),
                                   OnThreads(3,
                                             [](size_t i, int) {
                                               return Score{static_cast<double>(i), 0, true};
                                             }),
                                   [&](size_t i) { finished.insert(i); });
  EXPECT_EQ(winner, 19u);
  EXPECT_EQ(finished.size(), 19u);
  EXPECT_EQ(finished.count(19), 0u);
}

TEST(Tournament, AnExceptionOfAWorkerReachesTheCaller) {
  const auto advance = OnThreads(3, [](size_t i, int) -> Score {
    if (i == 5) throw std::runtime_error("five");
    return {1, 1, true};
  });
  EXPECT_THROW(Tournament(Options(20, {1}), advance, [](size_t) {}), std::runtime_error);
}

TEST(Rungs, ShortBudgets) {
  EXPECT_EQ(Rungs(false, 300), (std::vector<int>{300}));
  EXPECT_EQ(Rungs(true, 100), (std::vector<int>{4, 12, 36, 100}));
  EXPECT_EQ(Rungs(true, 2), (std::vector<int>{1, 2}));
  EXPECT_EQ(Rungs(true, 0), (std::vector<int>{0}));
}

}  // namespace
}  // namespace gopnet

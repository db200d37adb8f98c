#include "search/work_pool.h"

#include <gtest/gtest.h>

#include <thread>

namespace gopnet {
namespace {

using Turn = WorkPool::Turn;
constexpr WorkPool::Worker kAnna{0, 1}, kBen{1, 0}, kCarl{2, 0};

TEST(WorkPool, HandsOutEveryUnitOnceInOrder) {
  WorkPool pool;
  pool.Open("b", 3, {});
  EXPECT_EQ(pool.Next("b", kAnna).unit, 0u);
  EXPECT_EQ(pool.Next("b", kBen).unit, 1u);
  EXPECT_EQ(pool.Next("b", kAnna).unit, 2u);
  EXPECT_EQ(pool.Next("b", kBen).kind, Turn::kWait);
}

TEST(WorkPool, TellsEverybodyButTheOneWhoDidIt) {
  WorkPool pool;
  pool.Open("b", 2, {});
  pool.Next("b", kAnna);
  pool.Next("b", kBen);
  pool.Finish("b", 0, kAnna, "zero");
  const Turn told = pool.Next("b", kBen);
  EXPECT_EQ(told.kind, Turn::kResult);
  EXPECT_EQ(told.unit, 0u);
  EXPECT_EQ(told.result, "zero");
  EXPECT_FALSE(told.earlier);
  EXPECT_EQ(pool.Next("b", kAnna).kind, Turn::kWait);
  pool.Finish("b", 1, kBen, "one");
  EXPECT_EQ(pool.Next("b", kBen).kind, Turn::kDone);
  EXPECT_EQ(pool.Next("b", kAnna).result, "one");
  EXPECT_EQ(pool.Next("b", kAnna).kind, Turn::kDone);
}

TEST(WorkPool, SomebodyWhoComesLateIsToldEverything) {
  WorkPool pool;
  pool.Open("b", 3, {{1, "known"}});
  pool.Open("b", 3, {});  // changes nothing
  EXPECT_TRUE(pool.Next("b", kAnna).earlier);
  for (const size_t unit : {0, 2}) pool.Finish("b", unit, kAnna, "done");
  std::map<size_t, std::string> told;
  for (Turn turn = pool.Next("b", kCarl); turn.kind == Turn::kResult; turn = pool.Next("b", kCarl))
    told[turn.unit] = turn.result;
  EXPECT_EQ(told, (std::map<size_t, std::string>{{0, "done"}, {1, "known"}, {2, "done"}}));
}

TEST(WorkPool, WorkOfALostRankIsDoneAgainAndItsLateResultIsIgnored) {
  WorkPool pool;
  pool.Open("b", 3, {});
  pool.Next("b", kBen);   // 0
  pool.Next("b", kBen);   // 1
  pool.Next("b", kAnna);  // 2
  EXPECT_FALSE(pool.HasWork("b"));
  pool.Lose(1);
  EXPECT_TRUE(pool.HasWork("b"));
  EXPECT_EQ(pool.Next("b", kAnna).unit, 0u);  // the heaviest first
  pool.Finish("b", 0, kAnna, "first");
  pool.Finish("b", 0, kBen, "second");  // it was only slow
  EXPECT_EQ(pool.Next("b", kCarl).result, "first");
  pool.Finish("b", 1, kBen, "late");  // before anybody else took it
  EXPECT_EQ(pool.Next("b", kCarl).result, "late");
  EXPECT_EQ(pool.Next("b", kCarl).kind, Turn::kWait);  // 2 is at work
  EXPECT_FALSE(pool.HasWork("b"));
}

TEST(WorkPool, ARankThatComesBackIsNotToldOfWhatItWorksOn) {
  WorkPool pool;
  pool.Open("b", 2, {});
  EXPECT_EQ(pool.Next("b", kBen).unit, 0u);
  pool.Lose(1);
  EXPECT_EQ(pool.Next("b", kAnna).unit, 0u);
  pool.Finish("b", 0, kAnna, "done");
  EXPECT_EQ(pool.Next("b", kBen).unit, 1u);  // another thread of it asks: not for the result of 0
}

TEST(WorkPool, WhoeverWaitsIsWokenByAResult) {
  WorkPool pool;
  pool.Open("b", 1, {});
  pool.Next("b", kAnna);
  std::thread other([&] { pool.Finish("b", 0, kAnna, "r"); });
  EXPECT_EQ(pool.WaitNext("b", kBen, 60).result, "r");
  other.join();
}

TEST(WorkPool, ABatchThatIsDroppedIsGone) {
  WorkPool pool;
  pool.Open("run/b", 1, {});
  pool.Open("running/b", 1, {});
  pool.Drop("run/");
  EXPECT_EQ(pool.Next("run/b", kAnna).kind, Turn::kGone);
  EXPECT_EQ(pool.Next("running/b", kAnna).kind, Turn::kWork);
  pool.Finish("run/b", 0, kAnna, "late");  // nobody minds
}

}  // namespace
}  // namespace gopnet

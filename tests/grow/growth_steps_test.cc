#include "grow/growth_steps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/temp_file.h"
#include "support/toy_problem.h"

namespace gopnet {
namespace {

Score Of(double accuracy) { return {accuracy, 1, true}; }

TEST(StopRule, TakesWhatImprovesAndStopsWhenPatienceEnds) {
  const Problem problem = testing::ToyProblem(8, 2, 2);
  StopRule rule(problem, 1e-4, 2, false);
  EXPECT_TRUE(rule.Take(Of(0.5)));
  EXPECT_FALSE(rule.Take(Of(0.5)));
  EXPECT_FALSE(rule.exhausted());
  EXPECT_TRUE(rule.Take(Of(0.6)));
  EXPECT_FALSE(rule.Take(Of(0.1)));
  EXPECT_FALSE(rule.Take(Of(0.6)));
  EXPECT_TRUE(rule.exhausted());
  EXPECT_EQ(rule.best().measure, 0.6);
}

TEST(StopRule, KeepsTheLastIfAsked) {
  const Problem problem = testing::ToyProblem(8, 2, 2);
  StopRule rule(problem, 1e-4, 1, true);
  EXPECT_TRUE(rule.Take(Of(0.5)));
  EXPECT_TRUE(rule.Take(Of(0.4)));
  EXPECT_TRUE(rule.exhausted());
}

// NaN outputs have an accuracy, that of the first class, but are never accepted.
TEST(StopRule, NeverTakesWhatIsNotFinite) {
  const Problem problem = testing::ToyProblem(8, 2, 2);
  for (const bool keep : {false, true}) {
    StopRule rule(problem, 1e-4, 1, keep);
    EXPECT_FALSE(rule.Take({0.9, std::nan(""), false}));
    EXPECT_TRUE(rule.exhausted());
    StopRule after(problem, 1e-4, 1, keep);
    EXPECT_TRUE(after.Take(Of(0.5)));
    EXPECT_FALSE(after.Take({0.9, std::nan(""), false}));
    EXPECT_EQ(after.best().measure, 0.5);
  }
}

TEST(LayerGrowth, SaysSoIfTheFirstLayerIsNotFinite) {
  const Problem problem = testing::ToyProblem(8, 2, 2);
  Runtime rt;
  LayerGrowth growth(problem, {}, 3, rt);
  EXPECT_ERROR("not finite", growth.Accept({}, {0.9, std::nan(""), false}, {}));
}

}  // namespace
}  // namespace gopnet

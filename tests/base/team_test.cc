#include "base/team.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace gopnet {
namespace {

TEST(Team, RunsEveryTaskOnceInEveryRound) {
  for (const int threads : {1, 2, 5}) {
    Team team(threads);
    std::vector<int> done(100);
    for (int round = 1; round <= 300; ++round) {
      team.Run(done.size(), [&](size_t i, int) { ++done[i]; });
      for (const int times : done) ASSERT_EQ(times, round);
    }
    team.Run(0, [](size_t, int) { FAIL(); });
  }
}

TEST(Team, RethrowsTheLowestFailureAndGoesOn) {
  Team team(3);
  for (int round = 0; round < 20; ++round) {
    std::string caught;
    try {
      team.Run(8, [](size_t i, int) {
        if (i >= 5) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "5");
  }
}

}  // namespace
}  // namespace gopnet

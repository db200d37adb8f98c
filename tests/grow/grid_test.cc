#include "grow/grid.h"

#include <gtest/gtest.h>

namespace gopnet {
namespace {

// Journals of earlier runs name a setting by its place.
TEST(PaperGrid, TheLastParameterChangesFirst) {
  const std::vector<Setting> grid = PaperGrid({"ridge", "l1"});
  ASSERT_EQ(grid.size(), 49u);
  EXPECT_EQ(grid[0], (Setting{{"ridge", "0.001"}, {"l1", "0.001"}}));
  EXPECT_EQ(grid[1], (Setting{{"ridge", "0.001"}, {"l1", "0.01"}}));
  EXPECT_EQ(grid[7], (Setting{{"ridge", "0.01"}, {"l1", "0.001"}}));
  EXPECT_EQ(grid[48], (Setting{{"ridge", "1000"}, {"l1", "1000"}}));
}

}  // namespace
}  // namespace gopnet

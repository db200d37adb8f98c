// The values that replace `auto`.
#include <gtest/gtest.h>

#include "run/prepare.h"

namespace gopnet {
namespace {

TEST(AutoEnsemble, HasFewerNetworksForMoreRows) {
  EXPECT_EQ(AutoEnsemble(1), 8u);
  EXPECT_EQ(AutoEnsemble(20'000), 8u);
  EXPECT_EQ(AutoEnsemble(20'001), 7u);
  EXPECT_EQ(AutoEnsemble(32'000), 5u);
  EXPECT_EQ(AutoEnsemble(49'999), 3u);
  EXPECT_EQ(AutoEnsemble(10'000'000), 3u);
}

}  // namespace
}  // namespace gopnet

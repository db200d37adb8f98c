#include "ranks/leader.h"

#include <gtest/gtest.h>

#include "kernels/simd.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

std::map<int, RankInfo> Ranks2(const std::vector<std::string>& simd) {
  return {{0, DescribeThisRank("here")}, {1, {ProgramChecksum(), "there", "", simd}}};
}

std::string BestFused() { return SupportedSimd().front(); }

TEST(InstructionSets, RanksAgreeOnTheBestThatAllHave) {
  const std::vector<std::string> all = SupportedSimd();
  EXPECT_EQ(CommonSimd(Ranks2(all), false), all.front());
  for (const std::string& set : all) {
    if (FusesMultiplyAdd(set) != FusesMultiplyAdd(BestFused())) continue;
    EXPECT_EQ(CommonSimd(Ranks2({set, "sse4"}), false), set);
  }
}

TEST(InstructionSets, OneWithoutFusedProductsIsRefusedUnlessItIsChosen) {
  if (!FusesMultiplyAdd(BestFused())) GTEST_SKIP() << "this CPU fuses nothing";
  EXPECT_ERROR("rank 1 on there", CommonSimd(Ranks2({"sse4", "ssse3"}), false));
  EXPECT_ERROR("--simd", CommonSimd(Ranks2({"sse4"}), false));
  if (SupportedSimd().back() != "sse4") return;
  PinSimd("sse4");
  EXPECT_EQ(CommonSimd(Ranks2({"avx3", "avx2", "sse4"}), true), "sse4");
  EXPECT_ERROR("rank 1 on there", CommonSimd(Ranks2({"neon"}), true));
  PinSimd(SupportedSimd().front());
}

}  // namespace
}  // namespace gopnet

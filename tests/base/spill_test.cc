#include "base/spill.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/mat.h"
#include "gopnet/error.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

TEST(Spill, MemoryInAFileIsZeroAndKeepsWhatIsWritten) {
  const TempFolder folder;
  SpillTo(folder.Path("not/yet/there"));  // uses the nearest existing parent
  constexpr size_t kBytes = 3'000'000;
  auto* data = static_cast<unsigned char*>(AllocateSpilled(kBytes));
  for (size_t i = 0; i < kBytes; i += 997) ASSERT_EQ(data[i], 0);
  for (size_t i = 0; i < kBytes; i += 997) data[i] = static_cast<unsigned char>(i);
  for (size_t i = 0; i < kBytes; i += 997) ASSERT_EQ(data[i], static_cast<unsigned char>(i));
  EXPECT_TRUE(std::filesystem::is_empty(folder.Path("")));  // the file has no name
  FreeSpilled(data, kBytes);
  SpillTo("");
}

TEST(Spill, MoreThanTheDiskHoldsSaysWhereAndHowMuch) {
  const TempFolder folder;
  SpillTo(folder.Path(""));
  try {
    AllocateSpilled(size_t{1} << 55);
    FAIL() << "no error";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find(folder.Path("")), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("36028797018963968 bytes"), std::string::npos) << e.what();
  }
  SpillTo("");
}

TEST(Spill, OnlyWhatIsLargeForTheMachineIsSpilled) { EXPECT_GT(SpillBytes(), size_t{50} << 20); }

}  // namespace
}  // namespace gopnet

// Mapped files that other processes change, and paths that are not regular files.
#include "base/file_map.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "support/temp_file.h"

namespace gopnet {
namespace {

TEST(FileMap, AFileThatBecomesShorterReadsAsZerosAndIsToldOfOnce) {
  const TempFolder folder;
  const std::string path = folder.Write("x", std::string(5 * 4096, 'x'));
  {
    const FileMap map(path), other(folder.Write("y", "y"));
    ASSERT_EQ(::truncate(path.c_str(), 4096), 0);
    EXPECT_EQ(map.bytes()[100], 'x');
    EXPECT_EQ(map.bytes()[3 * 4096 + 5], '\0');
    EXPECT_EQ(map.bytes().back(), '\0');
    EXPECT_EQ(other.bytes(), "y");
  }
  EXPECT_THROW(CheckMapsWhole(), Changed);
  EXPECT_NO_THROW(CheckMapsWhole());
}

TEST(FileMap, TellsAgainAsLongAsTheMapIsOpenEvenIfTheFileGrowsBack) {
  const TempFolder folder;
  const std::string path = folder.Write("x", "12345");
  {
    const FileMap map(path);
    ASSERT_EQ(::truncate(path.c_str(), 3), 0);
    for (int reader = 0; reader < 2; ++reader) EXPECT_THROW(CheckMapsWhole(), Changed);
    ASSERT_EQ(::truncate(path.c_str(), 5), 0);
    EXPECT_THROW(CheckMapsWhole(), Changed);
  }
  EXPECT_NO_THROW(CheckMapsWhole());
}

TEST(FileMap, TellsOfAMapThatIsStillOpen) {
  const TempFolder folder;
  const std::string path = folder.Write("x", std::string(3 * 4096, 'x'));
  const FileMap map(path);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_EQ(map.bytes().back(), '\0');
  try {
    CheckMapsWhole();
    FAIL();
  } catch (const Changed& e) {
    EXPECT_EQ(std::string(e.what()).find(path + ": "), 0u) << e.what();
  }
}

TEST(FileMap, MapsThatComeAndGoDoNotTakeTheFaultsOfOthers) {
  const TempFolder folder;
  const std::string steady = folder.Write("y", std::string(8 * 4096, 'y'));
  std::atomic<bool> done{false};
  std::thread others([&] {
    while (!done) EXPECT_EQ(FileMap(steady).bytes().back(), 'y');
  });
  for (int i = 0; i < 200; ++i) {
    const std::string path = folder.Write("x", std::string(3 * 4096, 'x'));
    const FileMap map(path);
    ASSERT_EQ(::truncate(path.c_str(), 0), 0);
    errno = EDOM;
    EXPECT_EQ(map.bytes().back(), '\0');
    EXPECT_EQ(errno, EDOM);
    EXPECT_THROW(CheckMapsWhole(), Changed);
  }
  done = true;
  others.join();
}

TEST(FileMap, RefusesDevicesFoldersAndPipesWithoutAWriter) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  EXPECT_ERROR("pipe", FileMap(folder.Path("pipe")));
  EXPECT_ERROR("is a device", FileMap("/dev/zero"));
  EXPECT_ERROR("is a folder", FileMap(folder.Path("")));
}

TEST(FileMap, MoreFilesThanItKeepsTrackOfAreReadInstead) {
  const TempFolder folder;
  const std::string path = folder.Write("x", "content");
  std::vector<std::unique_ptr<FileMap>> maps;
  for (int i = 0; i < 300; ++i) maps.push_back(std::make_unique<FileMap>(path));
  for (const auto& map : maps) EXPECT_EQ(map->bytes(), "content");
}

}  // namespace
}  // namespace gopnet

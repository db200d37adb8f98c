// Files that are there whole or not at all.
#include "base/files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_file.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;

size_t Files(const TempFolder& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder.Path("")), fs::directory_iterator()));
}

TEST(NewFile, TakesNoNameOfAFileThatCameMeanwhile) {
  const TempFolder folder;
  {
    NewFile file(folder.Path("x"), /*replace=*/false);
    file.Append("ours");
    folder.Write("x", "theirs");
    EXPECT_ERROR("exists", file.Finish());
  }
  EXPECT_EQ(ReadBytes(folder.Path("x")), "theirs");
  EXPECT_EQ(Files(folder), 1u);
  WriteFileAtomically(folder.Path("y"), "ours", /*replace=*/false);
  EXPECT_EQ(ReadBytes(folder.Path("y")), "ours");
  EXPECT_EQ(Files(folder), 2u);
}

TEST(NewFile, ReplacesALinkAndNotWhatItLeadsTo) {
  const TempFolder folder;
  folder.Write("x", "theirs");
  fs::create_symlink(folder.Path("x"), folder.Path("link"));
  WriteFileAtomically(folder.Path("link"), "ours");
  EXPECT_EQ(ReadBytes(folder.Path("x")), "theirs");
  EXPECT_EQ(ReadBytes(folder.Path("link")), "ours");
}

TEST(AppendFile, RefusesAFileThatHasAnotherName) {
  const TempFolder folder;
  folder.Write("x", "theirs");
  fs::create_hard_link(folder.Path("x"), folder.Path("y"));
  EXPECT_ERROR("has another name", AppendFile(folder.Path("y")));
  fs::remove(folder.Path("x"));
  AppendFile(folder.Path("y")).Append(" and ours");
  EXPECT_EQ(ReadBytes(folder.Path("y")), "theirs and ours");
}

}  // namespace
}  // namespace gopnet

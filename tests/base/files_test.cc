// Atomic writes: a file is complete or absent.
#include "base/files.h"

#include <gtest/gtest.h>

#include <chrono>
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

std::string NewName(const TempFolder& folder) {  // the only temporary file in the folder
  for (const auto& item : fs::directory_iterator(folder.Path("")))
    if (IsTemporary(item.path().filename().string())) return item.path().filename().string();
  return "";
}

TEST(NewFile, TheNextWriterRemovesWhatAKilledOneLeft) {
  const TempFolder folder;
  std::string left;
  {
    const NewFile file(folder.Path("x"));
    left = NewName(folder);
    WriteFileAtomically(folder.Path("y"), "theirs");
    EXPECT_TRUE(fs::exists(folder.Path(left)));  // its writer is still running
  }
  folder.Write(left, "half");
  folder.Write("notes.gopnet.tmp1", "a user's");
  WriteFileAtomically(folder.Path("z"), "ours");
  EXPECT_FALSE(fs::exists(folder.Path(left)));
  EXPECT_EQ(Files(folder), 3u);
}

TEST(NewFile, AFileThatAnotherMachineMayWriteStaysForADay) {
  const TempFolder folder;
  const std::string name = "x.gopnet.tmp0123456789abcdef";
  folder.Write(name, "half");
  WriteFileAtomically(folder.Path("y"), "ours");
  EXPECT_TRUE(fs::exists(folder.Path(name)));
  fs::last_write_time(folder.Path(name), fs::file_time_type::clock::now() - std::chrono::hours(25));
  WriteFileAtomically(folder.Path("y"), "ours");
  EXPECT_FALSE(fs::exists(folder.Path(name)));
}

TEST(Folder, IsWrittenToWhateverItsNameLeadsTo) {
  const TempFolder folder;
  fs::create_directories(folder.Path("state"));
  fs::create_directories(folder.Path("theirs"));
  const Folder state(folder.Path("state"), /*follow=*/false);
  fs::rename(folder.Path("state"), folder.Path("moved"));
  fs::create_directory_symlink(folder.Path("theirs"), folder.Path("state"));
  NewFile file(Place(state, "x"));
  file.Append("ours");
  file.Finish();
  AppendFile(Place(state, "y")).Append("ours");
  EXPECT_TRUE(fs::is_empty(folder.Path("theirs")));
  EXPECT_EQ(ReadBytes(folder.Path("moved/x")), "ours");
  EXPECT_EQ(ReadBytes(folder.Path("moved/y")), "ours");
  EXPECT_ERROR("is a link", Folder(folder.Path("state"), false).CheckOpen());
}

TEST(AppendFile, RefusesAFileThatHasAnotherName) {
  const TempFolder folder;
  folder.Write("x", "theirs");
  fs::create_hard_link(folder.Path("x"), folder.Path("y"));
  EXPECT_ERROR("hard link", AppendFile(folder.Path("y")));
  fs::remove(folder.Path("x"));
  AppendFile(folder.Path("y")).Append(" and ours");
  EXPECT_EQ(ReadBytes(folder.Path("y")), "theirs and ours");
}

}  // namespace
}  // namespace gopnet

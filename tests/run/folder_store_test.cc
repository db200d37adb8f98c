#include "run/folder_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "base/stop_check.h"
#include "gopnet/run.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;
const nlohmann::ordered_json kConfig{{"version", "1"},
                                     {"algorithm", "popfast"},
                                     {"simd", "avx2"},
                                     {"parameters", nlohmann::ordered_json::object()}};

FolderStore::Options New(const std::string& path) { return {path, false, kConfig, "accuracy"}; }
FolderStore::Options Old(const std::string& path) { return {path, true, kConfig, "accuracy"}; }
void Warn(const std::string&) {}

WorkKey Key(int candidate) { return {0, 1, 0, 0, candidate, 9}; }
const Finished kFinished{{0.5, 0.25, true}, 9, false, 1.5};

void MakeRun(const std::string& path) {
  FolderStore run(New(path), Warn);
  run.Add(Key(1), kFinished, {}, "first");
  run.Add(Key(2), kFinished, {}, "second");
  run.Save("layer1", "weights");
  run.Add(Key(3), kFinished, {}, "third");
  run.KeepForResume("");
}

TEST(FolderStore, DoesNotCallStopCheckWhileLocked) {
  const TempFolder folder;
  const std::string path = folder.Path("run");
  {
    FolderStore run(New(path), Warn);
    run.Add(Key(1), kFinished, {}, "first");
    run.Save("layer1",
             "weights");  // earlier states are no longer needed, so their file is emptied
    run.KeepForResume("");
  }
  FolderStore run(Old(path), Warn);
  bool asked = false;
  const StopCheck check([&] { asked = true; });
  EXPECT_EQ(run.LoadState(Key(1)), "");
  EXPECT_FALSE(asked);
}

TEST(FolderStore, KeepsLinesStagesAndTheStatesOfTheCurrentStage) {
  const TempFolder folder;
  const std::string path = folder.Path("run");
  MakeRun(path);
  FolderStore run(Old(path), Warn);
  for (const int candidate : {1, 2, 3}) {
    ASSERT_TRUE(run.Find(Key(candidate)));
    EXPECT_EQ(run.Find(Key(candidate))->score.loss, 0.25);
  }
  EXPECT_FALSE(run.Find(Key(4)));
  EXPECT_EQ(run.Load("layer1"), "weights");
  EXPECT_EQ(run.Load("layer2"), std::nullopt);
  EXPECT_EQ(run.LoadState(Key(3)), "third");
  EXPECT_EQ(run.LoadState(Key(1)), "");  // its space has been reused
  EXPECT_EQ(run.LoadState(Key(2)), "");
  run.Add(Key(4), kFinished, {}, "fourth");
  run.KeepForResume("");
  EXPECT_EQ(ReadBytes(folder.Path("run/state/candidates.bin")), "thirdfourth");
  run.Finish("model", "metrics");
  EXPECT_FALSE(fs::exists(folder.Path("run/state")));
}

TEST(FolderStore, JournalsEachLayerOnce) {
  const TempFolder folder;
  const nlohmann::ordered_json line{{"event", "layer"}, {"variant", 0}, {"layer", 1}};
  {
    FolderStore run(New(folder.Path("run")), Warn);
    run.Journal(line);
    run.KeepForResume("");
  }
  {
    FolderStore run(Old(folder.Path("run")), Warn);
    run.Journal(line);
    run.KeepForResume("");
  }
  const JournalText journal = ReadJournal(ReadBytes(folder.Path("run/journal.jsonl")));
  ASSERT_EQ(journal.lines.size(), 3u);
  EXPECT_EQ(journal.lines[1]["event"], "layer");
  EXPECT_EQ(journal.lines[2]["event"], "resume");
}

TEST(FolderStore, ANewRunThatIsNotKeptLeavesNoFiles) {
  const TempFolder folder;
  { FolderStore run(New(folder.Path("a/b/run")), Warn); }
  EXPECT_FALSE(fs::exists(folder.Path("a")));
}

// This must hold for any exception: running out of memory or descriptors does not throw Stopped.
TEST(FolderStore, ARunWithFinishedWorkIsKept) {
  const TempFolder folder;
  const std::string one = folder.Path("one"), other = folder.Path("other");
  { FolderStore(New(one), Warn).Add(Key(1), kFinished, {}, "first"); }
  { FolderStore(New(other), Warn).Save("fold-1-of-3", "score"); }
  EXPECT_TRUE(FolderStore(Old(one), Warn).Find(Key(1)));
  EXPECT_EQ(FolderStore(Old(other), Warn).Load("fold-1-of-3"), "score");
}

TEST(FolderStore, LinesAfterTheEndAreNotJournaled) {
  const TempFolder folder;
  {
    FolderStore run(New(folder.Path("run")), Warn);
    run.Finish("model", "{}");
    run.Add(Key(1), kFinished, {}, "late");
  }
  const std::string bytes = ReadBytes(folder.Path("run/journal.jsonl"));
  EXPECT_EQ(ReadJournal(bytes).lines.back()["event"], "done");
  for (const FileCheck& check : Verify(folder.Path("run")))
    if (!check.file.ends_with("model.safetensors")) {
      EXPECT_EQ(check.problem, "") << check.file;
    }
}

TEST(FolderStore, VerifyDetectsATruncatedJournalOfAStoppedRun) {
  const TempFolder folder;
  {
    FolderStore run(New(folder.Path("run")), Warn);
    run.Add(Key(1), kFinished, {}, "first");
    run.KeepForResume("{}");
  }
  const auto problem = [&] {
    for (const FileCheck& check : Verify(folder.Path("run")))
      if (!check.problem.empty()) return check.file + ": " + check.problem;
    return std::string();
  };
  EXPECT_EQ(problem(), "");
  const std::string bytes = ReadBytes(folder.Path("run/journal.jsonl"));
  folder.Write("run/journal.jsonl", bytes.substr(0, bytes.find('\n') + 1));
  EXPECT_TRUE(problem().ends_with("journal.jsonl: missing, changed or damaged")) << problem();
}

// A run may end before the background thread has written its config.
TEST(FolderStore, WritesTheConfigBeforeTheModel) {
  const TempFolder folder;
  const std::string path = folder.Path("run");
  std::atomic<bool> done{false}, alone{false};
  std::thread watch([&] {
    while (!done) {
      const bool model = fs::exists(path + "/model.safetensors");
      alone = alone || (model && !fs::exists(path + "/config.json"));
    }
  });
  {
    FolderStore::Options large = New(path);
    large.config["source"] = std::string(50'000'000, ' ');
    FolderStore run(large, Warn);
    run.Finish("model", "{}");
  }
  done = true;
  watch.join();
  EXPECT_FALSE(alone);
}

TEST(FolderStore, DoesNotFollowALinkThatReplacesItsFolder) {
  const TempFolder folder;
  fs::create_directories(folder.Path("theirs"));
  folder.Write("theirs/notes.bin", "precious");
  FolderStore run(New(folder.Path("run")), Warn);
  run.Add(Key(1), kFinished, {}, "first");
  run.KeepForResume("");
  fs::rename(folder.Path("run/state"), folder.Path("run/moved"));
  fs::create_directory_symlink(folder.Path("theirs"), folder.Path("run/state"));
  run.Save("layer1", "weights");
  run.Add(Key(2), kFinished, {}, "second");
  run.KeepForResume("");
  run.Finish("model", "metrics");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.Path("theirs")), {}), 1);
  EXPECT_EQ(ReadBytes(folder.Path("theirs/notes.bin")), "precious");
  EXPECT_TRUE(fs::exists(folder.Path("run/moved/layer1.bin")));
}

TEST(FolderStore, AStateThatIsALinkIsRefused) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  fs::rename(folder.Path("run/state"), folder.Path("state"));
  for (const char* target : {"state", "nowhere"}) {
    fs::create_directory_symlink(folder.Path(target), folder.Path("run/state"));
    EXPECT_ERROR("run/state: is a link", FolderStore(Old(folder.Path("run")), Warn));
    fs::remove(folder.Path("run/state"));
  }
  EXPECT_FALSE(fs::exists(folder.Path("nowhere")));
}

TEST(FolderStore, RefusesASecondProcess) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  const FolderStore first(Old(folder.Path("run")), Warn);
  EXPECT_ERROR("another process", FolderStore(Old(folder.Path("run")), Warn));
  EXPECT_TRUE(fs::exists(folder.Path("run/config.json")));
}

TEST(FolderStore, LeftoversOfAProcessKilledAtStartAreNotARun) {
  const TempFolder folder;
  fs::create_directories(folder.Path("run"));
  folder.Write("run/journal.jsonl", "");
  folder.Write("run/config.json.gopnet.tmp0123456789abcdef", "{\"vers");
  EXPECT_ERROR("config.json", FolderStore(Old(folder.Path("run")), Warn));
  EXPECT_NO_THROW(CheckRunFolder(folder.Path("run")));
  MakeRun(folder.Path("run"));
  EXPECT_FALSE(fs::exists(folder.Path("run/config.json.gopnet.tmp0123456789abcdef")));
  EXPECT_ERROR("gopnet resume", CheckRunFolder(folder.Path("run")));
}

TEST(FolderStore, IgnoresStagesThatAreDamagedOrFromAnotherRun) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  const std::string whole = ReadBytes(folder.Path("run/state/layer1.bin"));
  std::string damaged = whole;
  damaged.back() ^= 1;
  for (const std::string& file : {damaged, SealState("weights", "another run's na")}) {
    folder.Write("run/state/layer1.bin", file);
    FolderStore run(Old(folder.Path("run")), Warn);
    EXPECT_EQ(run.Load("layer1"), std::nullopt);
    folder.Write("run/state/layer1.bin", whole);
    EXPECT_EQ(run.Load("layer1"), "weights");
  }
}

TEST(FolderStore, RefusesOtherParametersAndChangesNothing) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  const std::string journal = ReadBytes(folder.Path("run/journal.jsonl"));
  FolderStore::Options other = Old(folder.Path("run"));
  other.config["parameters"]["seed"] = 2;
  EXPECT_ERROR("parameters seed", FolderStore(other, Warn));
  EXPECT_EQ(ReadBytes(folder.Path("run/journal.jsonl")), journal);
}

TEST(FolderStore, FilesOfTheUserAreNotARunAndAreKept) {
  const TempFolder folder;
  fs::create_directories(folder.Path("run/state"));
  folder.Write("run/state/thesis.txt", "mine");
  EXPECT_ERROR("not empty", CheckRunFolder(folder.Path("run")));
  fs::remove_all(folder.Path("run/state"));
  folder.Write("run/notes.tmp2024", "mine");
  EXPECT_ERROR("not empty", CheckRunFolder(folder.Path("run")));
}

TEST(RunWriter, DropsWorkEnqueuedAfterFinish) {
  RunWriter writer([] {});
  bool late = false;
  writer.Finish();
  writer.Enqueue(RunWriter::For::kRecord, 1, [&] { late = true; });
  writer.Flush();  // nothing is queued
  EXPECT_FALSE(late);
}

TEST(RunWriter, WritesOnlyTheLatestQueuedState) {
  std::vector<int> done;
  RunWriter writer([] {});
  writer.Enqueue(RunWriter::For::kRecord, 1, [] { usleep(100'000); });
  for (int i = 0; i < 100; ++i)
    writer.Enqueue(
        RunWriter::For::kResume, 1, [&done, i] { done.push_back(i); }, "stage");
  writer.Flush();
  EXPECT_LE(done.size(), 2u);
  EXPECT_EQ(done.back(), 99);
}

// Limits the file size of this process to simulate a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST(FolderStore, AFullDiskStopsTheRunAndLeavesNoTornLine) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  {
    FolderStore run(Old(folder.Path("run")), Warn);
    run.KeepForResume("");
    const SmallDisk disk(4000);
    std::string message;
    try {
      for (int i = 0; i < 100; ++i) run.Journal({{"event", "layer"}, {"layer", i}});
      run.KeepForResume("");
    } catch (const Stopped& e) {
      message = e.what();
    }
    EXPECT_NE(message.find("journal.jsonl: cannot write"), std::string::npos) << message;
    EXPECT_NE(message.find("free space: "), std::string::npos) << message;
    EXPECT_TRUE(run.failed());
  }
  const JournalText journal = ReadJournal(ReadBytes(folder.Path("run/journal.jsonl")));
  EXPECT_EQ(journal.whole_bytes, fs::file_size(folder.Path("run/journal.jsonl")));
  int layers = 0;
  for (const auto& line : journal.lines) {
    if (line["event"] == "layer") {
      EXPECT_EQ(line["layer"], layers++);
    }
  }
  EXPECT_GT(layers, 5);
}

}  // namespace
}  // namespace gopnet

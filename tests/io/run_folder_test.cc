#include "io/run_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "gopnet/run.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;
using Purpose = RunFolder::Purpose;
const std::string kRun = "0123456789abcdef";

void MakeRun(const std::string& path) {
  RunFolder run(path, Purpose::kNew);
  run.Start(kRun, "{}");
  run.Journal({{"event", "start"}});
  run.AppendState("first");
  run.AppendState("second");
  run.KeepStage("layer1", "weights");
  run.AppendState("third");
  run.Keep();
}

TEST(RunFolder, KeepsLinesStagesAndTheStatesOfTheStageInFlight) {
  const TempFolder folder;
  const std::string path = folder.Path("run");
  MakeRun(path);
  RunFolder run(path, Purpose::kResume);
  run.Start(kRun);
  EXPECT_EQ(run.journal().lines.size(), 1u);
  EXPECT_EQ(run.ReadStage("layer1"), "weights");
  EXPECT_EQ(run.ReadStage("layer2"), std::nullopt);
  EXPECT_EQ(run.ReadState(0, 5), "third");
  EXPECT_EQ(run.ReadState(0, 6), "");
  EXPECT_EQ(run.ReadState(SIZE_MAX, 2), "");
  EXPECT_EQ(run.AppendState("fourth"), 5u);
  EXPECT_EQ(run.ReadState(5, 6), "fourth");
  run.Finish("model", "metrics");
  EXPECT_FALSE(fs::exists(folder.Path("run/state")));
}

TEST(RunFolder, ANewOneThatWasNotToBeKeptLeavesNothing) {
  const TempFolder folder;
  {
    RunFolder run(folder.Path("a/b/run"), Purpose::kNew);
    run.Start(kRun, "{}");
    run.Journal({{"event", "start"}});
  }
  EXPECT_FALSE(fs::exists(folder.Path("a")));
}

// A run may be over before its config, which is written in the background, is on disk.
TEST(RunFolder, NoModelIsThereWithoutItsConfig) {
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
    RunFolder run(path, Purpose::kNew);
    run.Start(kRun, std::string(50'000'000, ' '));
    run.Finish("model", "{}");
  }
  done = true;
  watch.join();
  EXPECT_FALSE(alone);
}

TEST(RunFolder, OnlyOneAtATime) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  const RunFolder first(folder.Path("run"), Purpose::kResume);
  EXPECT_ERROR("another process", RunFolder(folder.Path("run"), Purpose::kResume));
  EXPECT_TRUE(fs::exists(folder.Path("run/config.json")));
}

TEST(RunFolder, WhatAProgramLeftThatWasKilledBeforeItBeganIsNoRun) {
  const TempFolder folder;
  fs::create_directories(folder.Path("run"));
  folder.Write("run/journal.jsonl", "");
  folder.Write("run/config.json.gopnet.tmp123", "{\"vers");
  EXPECT_ERROR("no run was begun", RunFolder(folder.Path("run"), Purpose::kResume));
  EXPECT_NO_THROW(CheckRunFolder(folder.Path("run")));
  MakeRun(folder.Path("run"));
  EXPECT_FALSE(fs::exists(folder.Path("run/config.json.gopnet.tmp123")));
  EXPECT_ERROR("gopnet resume goes on", CheckRunFolder(folder.Path("run")));
}

TEST(RunFolder, ADamagedStageIsAsIfItHadNotBeenFinished) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  std::string file = SealState("weights", kRun);
  file.back() ^= 1;
  folder.Write("run/state/layer1.bin", file);
  RunFolder run(folder.Path("run"), Purpose::kResume);
  run.Start(kRun);
  EXPECT_EQ(run.ReadStage("layer1"), std::nullopt);
}

TEST(RunFolder, StagesOfAnotherRunAreNotRead) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  RunFolder run(folder.Path("run"), Purpose::kResume);
  run.Start("another run's na");
  EXPECT_EQ(run.ReadStage("layer1"), std::nullopt);
}

TEST(RunFolder, FilesOfTheUserAreNoRunAndStay) {
  const TempFolder folder;
  fs::create_directories(folder.Path("run/state"));
  folder.Write("run/state/thesis.txt", "mine");
  EXPECT_ERROR("not empty", CheckRunFolder(folder.Path("run")));
  fs::remove_all(folder.Path("run/state"));
  folder.Write("run/notes.tmp2024", "mine");
  EXPECT_ERROR("not empty", CheckRunFolder(folder.Path("run")));
}

TEST(RunWriter, WhatComesAfterTheEndIsDropped) {
  RunWriter writer([] {});
  bool late = false;
  writer.Finish();
  writer.Post(RunWriter::For::kRecord, 1, [&] { late = true; });
  writer.Flush();  // has nothing to wait for
  EXPECT_FALSE(late);
}

TEST(RunWriter, OfStatesThatWaitTheLastCounts) {
  std::vector<int> done;
  RunWriter writer([] {});
  writer.Post(RunWriter::For::kRecord, 1, [] { usleep(100'000); });
  for (int i = 0; i < 100; ++i)
    writer.Post(
        RunWriter::For::kResume, 1, [&done, i] { done.push_back(i); }, "stage");
  writer.Flush();
  EXPECT_LE(done.size(), 2u);
  EXPECT_EQ(done.back(), 99);
}

// Files of this process cannot grow beyond so many bytes: a full disk in small.
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

TEST(RunFolder, AFullDiskStopsTheRunAndTearsNothing) {
  const TempFolder folder;
  MakeRun(folder.Path("run"));
  {
    RunFolder run(folder.Path("run"), Purpose::kResume);
    run.Start(kRun);
    const SmallDisk disk(2000);
    std::string message;
    try {
      for (int i = 0; i < 100; ++i) run.Journal({{"event", "candidate"}, {"number", i}});
      run.Flush();
    } catch (const Stopped& e) {
      message = e.what();
    }
    EXPECT_NE(message.find("journal.jsonl: cannot write"), std::string::npos) << message;
    EXPECT_NE(message.find("free space: "), std::string::npos) << message;
    EXPECT_TRUE(run.failed());
  }
  RunFolder run(folder.Path("run"), Purpose::kResume);
  const JournalText& journal = run.journal();
  EXPECT_EQ(journal.whole_bytes, fs::file_size(folder.Path("run/journal.jsonl")));
  for (size_t i = 1; i < journal.lines.size(); ++i) EXPECT_EQ(journal.lines[i]["number"], i - 1);
  EXPECT_GT(journal.lines.size(), 5u);
}

}  // namespace
}  // namespace gopnet

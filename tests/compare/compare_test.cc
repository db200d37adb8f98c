// Comparisons: the order of runs, the events of the observer, and that no run is repeated.
#include "gopnet/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "compare/job_queue.h"
#include "gopnet/gopnet.h"
#include "run/prepare.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

TEST(JobQueue, HandsOutTheHeaviestFirst) {
  JobQueue queue({{1}, {5}, {3}, {5}}, 2);
  for (const size_t job : {1u, 3u, 2u, 0u}) EXPECT_EQ(queue.Next()->job, job);
  EXPECT_FALSE(queue.Next());
}

TEST(JobQueue, CountsWhatWaitsForAJobAsPartOfIt) {
  JobQueue queue({{4}, {3}, {2, 1}}, 2);
  EXPECT_EQ(queue.Next()->job, 1u);
  EXPECT_EQ(queue.Next()->job, 0u);
}

TEST(JobQueue, AJobWaitsForTheOneBeforeIt) {
  JobQueue queue({{9, 1}, {1}}, 2);
  EXPECT_EQ(queue.Next()->job, 1u);
  std::optional<JobQueue::Handout> next;
  std::thread waiting([&] { next = queue.Next(); });
  queue.Done(1);
  waiting.join();
  EXPECT_EQ(next->job, 0u);
}

TEST(JobQueue, StopEndsTheWait) {
  JobQueue queue({{9, 1}, {1}, {0}}, 2);
  queue.Next();
  queue.Next();
  std::optional<JobQueue::Handout> next = JobQueue::Handout{};
  std::thread waiting([&] { next = queue.Next(); });
  queue.Stop();
  waiting.join();
  EXPECT_FALSE(next);
}

TEST(JobQueue, FewJobsShareTheCores) {
  // two are done, two can run, and one waits for the first of these
  JobQueue queue({{9}, {8}, {7, 0}, {6, {}, true}, {5, {}, true}}, 9);
  EXPECT_EQ(queue.Next()->threads, 4);
  EXPECT_EQ(queue.Next()->threads, 4);
  queue.Done(1);
  queue.Done(0);
  EXPECT_EQ(queue.Next()->threads, 9);
}

TEST(JobQueue, ManyJobsGetAThreadEach) {
  JobQueue queue(std::vector<Job>(10, Job{1}), 8);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(queue.Next()->threads, 1);
}

Matrix Waves(size_t rows) {
  Matrix x(rows, 5);
  for (size_t n = 0; n < rows; ++n) {
    for (size_t j = 0; j < 5; ++j)
      x(n, j) = static_cast<float>(std::sin(0.7 * static_cast<double>(n * (j + 1) + j)));
  }
  return x;
}

TrainData Data(const Matrix& x) {
  std::vector<std::string> labels;
  for (size_t n = 0; n < x.rows(); ++n) labels.push_back(x(n, 0) * x(n, 1) > 0 ? "above" : "below");
  return {.train = MakeDataset(x, labels)};
}

CompareOptions Small(const std::string& folder) {
  CompareOptions options;
  options.algorithms = {"popfast", "popmem-o"};
  options.runs = 2;
  options.folder = folder;
  options.params.Set("ensemble", 1)
      .Set("topology", "5,4")
      .Set("epochs", 6)
      .Set("finetune_epochs", 2)
      .Set("nodal", "multiplication,harmonic")
      .Set("pool", "sum")
      .Set("test_split", 0.25)
      .Set("threads", 3);
  return options;
}

// Counts finished runs and stops after a given number.
class Counting : public CompareObserver {
 public:
  explicit Counting(int stop_after = 1000) : stop_after_(stop_after) {}
  void OnStart(const Comparison&, int done, int total) override { before = done, runs = total; }
  void OnRunStart(const CompareSystem& system, unsigned long long seed) override {
    started.emplace_back(system.name, seed);
  }
  void OnRun(const CompareSystem&, const CompareRun& run, int done, int total, double) override {
    EXPECT_EQ(done, before + ++finished);
    EXPECT_EQ(total, runs);
    EXPECT_EQ(run.error, "");
  }
  bool Continue() override { return finished < stop_after_; }

  int before = 0, runs = 0, finished = 0;
  std::vector<std::pair<std::string, unsigned long long>> started;

 private:
  const int stop_after_;
};

TEST(Compare, GoesOnWhereItWasStopped) {
  const Matrix x = Waves(80);
  const TempFolder folder;
  Counting first(3);
  EXPECT_THROW(Compare(Data(x), Small(folder.Path("c")), &first), Stopped);
  Counting second;
  const Comparison stopped = Compare(Data(x), Small(folder.Path("c")), &second);
  EXPECT_GE(second.before, 3);
  EXPECT_EQ(second.runs, 8);  // popfast, popfast*, popmem-o pca and lda
  EXPECT_EQ(static_cast<int>(second.started.size()), 8 - second.before);
  const Comparison whole = Compare(Data(x), Small(folder.Path("w")));
  for (size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(stopped.rows[r].system.name, whole.rows[r].system.name);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(stopped.rows[r].runs[i].test, whole.rows[r].runs[i].test);
      EXPECT_EQ(stopped.rows[r].runs[i].widths, whole.rows[r].runs[i].widths);
    }
  }
}

// Starts a second comparison in the same folder during the first.
class Twice : public CompareObserver {
 public:
  Twice(const TrainData& data, const CompareOptions& options) : data_(data), options_(options) {}
  void OnRunStart(const CompareSystem&, unsigned long long) override {
    EXPECT_ERROR("another comparison is writing", Compare(data_, options_));
  }

 private:
  const TrainData& data_;
  const CompareOptions& options_;
};

TEST(Compare, KeepsOthersOutOfItsFolder) {
  const Matrix x = Waves(60);
  const TempFolder folder;
  const TrainData data = Data(x);
  const CompareOptions options = Small(folder.Path("c"));
  Twice observer(data, options);
  EXPECT_EQ(Compare(data, options, &observer).rows.size(), 5u);  // with the linear model
}

TEST(Compare, NeedsTestRows) {
  const Matrix x = Waves(60);
  const TempFolder folder;
  CompareOptions options = Small(folder.Path("c"));
  options.params.Set("test_split", 0);
  EXPECT_ERROR("no test rows", Compare(Data(x), options));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("c")));
}

TEST(Compare, MedianOfTwoLiesBetweenThem) {
  const Matrix x = Waves(80);
  const TempFolder folder;
  const Comparison c = Compare(Data(x), Small(folder.Path("c")));
  for (const CompareRow& row : c.rows) {
    EXPECT_EQ(row.test.count, 2);
    EXPECT_DOUBLE_EQ(row.test.median, (*row.runs[0].test + *row.runs[1].test) / 2);
    EXPECT_EQ(row.test.max, std::max(*row.runs[0].test, *row.runs[1].test));
  }
}

TEST(Fingerprint, KnowsTheRowsWhateverTheirOrder) {
  const Matrix x = Waves(40);
  const std::string print = Fingerprint(Data(x));
  Matrix turned(40, 5), changed = x;
  for (size_t n = 0; n < 40; ++n) std::copy_n(x.Row(39 - n), 5, turned.Row(n));
  changed(17, 2) += 0.001f;
  EXPECT_EQ(Fingerprint(Data(turned)), print);
  EXPECT_NE(Fingerprint(Data(changed)), print);
  TrainData tested = Data(x);
  tested.test = tested.train;
  EXPECT_NE(Fingerprint(tested), print);
}

}  // namespace
}  // namespace gopnet

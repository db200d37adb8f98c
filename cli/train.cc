// gopnet train: reads the rows, grows a network, writes a run folder.
#include <chrono>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/run_options.h"
#include "cli/summary.h"
#include "cli/train_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Job {
  TrainFlags flags;
  std::string out;
  RunFlags run;
  double checkpoint_seconds = 30;
  Params params;
};

Args MakeArgs() {
  return {"train", "grow and fit a network, write a run folder",
          "gopnet train --train train.csv --test test.csv --target species --out runs/first"};
}

void Declare(Args& args, Job& job) {
  job.flags.Declare(args);
  args.Group("Output");
  args.Option("out", &job.out, "DIR",
              "The run folder, new or empty. Default: runs/<algorithm>-<date>-<n>.");
  job.run.Declare(args);
}

// Finds what is wrong before rows are read, which may take long.
void Check(Args& args, Job& job) {
  job.flags.ReadConfigFile(args);
  job.params = job.flags.Chosen(args);
  Resolve(job.flags.algorithm, job.params);
  job.checkpoint_seconds = job.run.Check();
  job.flags.CheckFiles();
  if (job.out.empty()) job.out = NewRunFolder(job.flags.algorithm);
  CheckRunFolder(job.out);
  if (!job.flags.simd.empty()) UseSimd(job.flags.simd);
}

TrainResult Run(const Job& job, bool quiet) {
  const auto start = Clock::now();
  TrainData data = job.flags.Load();
  ShareWithRanks(data, job.flags.Source(), !job.flags.simd.empty());
  const std::chrono::duration<double> load = Clock::now() - start;
  CatchInterrupts();
  Progress progress(quiet, DataSummary(data.train, job.flags.task == "auto"));
  try {
    TrainOptions options{job.out, &progress, load.count(), job.flags.Source()};
    options.checkpoint_seconds = job.checkpoint_seconds;
    options.ranks = JobRanks();
    return Train(job.flags.algorithm, data, job.params, options);
  } catch (const Stopped& e) {
    throw Stopped(StoppedMessage(e.what(), job.out));
  }
}

}  // namespace

void RunTrain(const Words& words) {
  Args args = MakeArgs();
  Job job;
  Declare(args, job);
  if (!args.Parse(words)) return;
  Check(args, job);
  const TrainResult result = Run(job, args.quiet());
  PrintResult(args, result, job.out, job.flags.test);
}

std::string CheckTrain(const Words& words) {
  Args args = MakeArgs();
  Job job;
  Declare(args, job);
  if (!args.Parse(words)) return "";
  Check(args, job);
  return job.out;
}

}  // namespace gopnet::cli

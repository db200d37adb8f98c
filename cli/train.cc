// gopnet train: reads the rows, grows a network, writes a run folder.
#include "cli/commands.h"
#include "cli/run_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

struct TrainJob : Training {
  Args args{"train",
            "gopnet train --train train.csv --test test.csv --target species --out runs/first"};
  std::string cv;
  int folds = 0;  // the value of cv
  bool save_split = false;
  Params params;
};

void Declare(TrainJob& job) {
  Args& args = job.args;
  job.flags.DeclareData(args);
  args.Group("Algorithm");
  args.Option("algorithm", &job.flags.algorithm, "NAME",
              "Training algorithm; gopnet help algorithms lists them. Default: popmem-o.");
  job.flags.DeclareSettings(args);
  args.Group("Output");
  args.Option("out", &job.folder, "DIR",
              "Run folder, new or empty. Default: runs/<algorithm>-<date>-<n>.");
  args.Option("cv", &job.cv, "K",
              "Estimate the scores by K-fold cross-validation before training. This trains K more "
              "times and prints the mean and standard error of every metric.");
  args.Flag("save_split", &job.save_split,
            "Write split.csv to the run folder: the use of each row (train, val or test).");
  job.run.Declare(args);
  args.Flag("live", &job.live,
            "Serve a live page of the run on 127.0.0.1 during training and print its address.");
  args.Option("port", &job.port, "N", "Port for --live. Default: any free port.");
}

// Checks all options before the rows are read, which may take long. Returns false after --help.
bool Prepare(const Words& words, TrainJob& job) {
  Declare(job);
  if (!job.args.Parse(words)) return false;
  job.flags.ReadConfigFile(job.args);
  job.params = job.flags.Chosen(job.args);
  Resolve(job.flags.algorithm, job.params);
  job.run.Check();
  if (!job.cv.empty()) job.folds = Count("--cv", job.cv, 2, 1000);
  if (!job.port.empty() && !job.live) throw Error("--port works only with --live");
  job.flags.CheckFiles();
  if (job.folder.empty()) job.chosen_for = job.flags.algorithm;
  if (job.folder.empty()) job.folder = NewRunFolder(job.chosen_for);
  CheckRunFolder(job.folder);
  if (!job.flags.simd.empty()) UseSimd(job.flags.simd);
  return true;
}

}  // namespace

void RunTrain(const Words& words) {
  TrainJob job;
  if (!Prepare(words, job)) return;
  TrainAndPrint(job, job.args, [&](const TrainData& data, TrainOptions options) {
    options.save_split = job.save_split;
    options.cv_folds = job.folds;
    return Train(job.flags.algorithm, data, job.params, options);
  });
}

std::string CheckTrain(const Words& words) {
  TrainJob job;
  return Prepare(words, job) ? job.folder : "";
}

}  // namespace gopnet::cli

// gopnet train: reads the rows, grows a network, writes a run folder.
#include <chrono>
#include <filesystem>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/train_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;

// What a run that stopped early leaves behind.
std::string Remains(const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto best = folder / "checkpoint.safetensors";
  if (exists(best, ignored)) return "the best network so far is " + best.string();
  return std::string("no layer was finished yet") +
         (exists(folder, ignored) ? "" : ", so nothing was kept");
}

TrainResult TrainOrTellWhere(const std::string& algorithm, const TrainData& data,
                             const Params& params, const TrainOptions& options) {
  try {
    return Train(algorithm, data, params, options);
  } catch (const Stopped& e) {
    throw Stopped(std::string(e.what()) + "; " + Remains(options.run_folder));
  }
}

struct Job {
  TrainFlags flags;
  std::string out;
  Params params;
};

void Declare(Args& args, Job& job) {
  job.flags.Declare(args);
  args.Group("Output");
  args.Option("out", &job.out, "DIR",
              "The run folder, new or empty. Default: runs/<algorithm>-<date>-<n>.");
}

// Finds what is wrong before rows are read, which may take long.
void Check(Args& args, Job& job) {
  job.flags.ReadConfigFile(args);
  job.params = job.flags.Chosen(args);
  Resolve(job.flags.algorithm, job.params);
  job.flags.CheckFiles();
  if (job.out.empty()) job.out = NewRunFolder(job.flags.algorithm);
  CheckRunFolder(job.out);
  if (!job.flags.simd.empty()) UseSimd(job.flags.simd);
}

TrainResult Run(const Job& job, bool quiet) {
  const auto start = Clock::now();
  const TrainData data = job.flags.Load();
  const std::chrono::duration<double> load = Clock::now() - start;
  CatchInterrupts();
  Progress progress(quiet, DataSummary(data.train, job.flags.task == "auto"));
  return TrainOrTellWhere(job.flags.algorithm, data, job.params,
                          {job.out, &progress, load.count()});
}

}  // namespace

void RunTrain(const Words& words) {
  Args args("train", "grow and fit a network, write a run folder",
            "gopnet train --train train.csv --test test.csv --target species --out runs/first");
  Job job;
  Declare(args, job);
  if (!args.Parse(words)) return;
  Check(args, job);
  const TrainResult result = Run(job, args.quiet());
  const std::string model = (std::filesystem::path(job.out) / "model.safetensors").string();
  if (args.json()) return Print(ToJson(result.history, model) + "\n");
  Print(args.quiet() ? model + "\n" : TrainSummary(result.history, job.out, job.flags.test));
}

}  // namespace gopnet::cli

// gopnet resume: goes on with a run that was stopped, to the model it would have given without.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/compare_run.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/json_file.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/run_options.h"
#include "cli/summary.h"
#include "cli/topics.h"
#include "cli/train_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Job {
  std::string folder, threads, simd;
  RunFlags run;
  double checkpoint_seconds = 30;
};

Args MakeArgs() {
  return {"resume", "go on with a run that was stopped", "gopnet resume runs/first"};
}

void Declare(Args& args, Job& job) {
  args.Positional("RUN", &job.folder, "The folder of a run, or of a comparison.");
  args.Option("threads", &job.threads, "N",
              "Threads, 0 for all cores. Changes the time, never the model. Default: as before.");
  args.Option("simd", &job.simd, "NAME",
              "The instruction set, which must be the one that the run began with.");
  job.run.Declare(args);
}

// A run keeps its parameters; an attempt to change one deserves more than "unknown option".
void RefuseParameters(const Words& words) {
  for (const std::string& word : words) {
    if (word.rfind("--", 0) != 0) continue;
    const std::string name = Underscored(word.substr(2, word.find('=') - 2));
    for (const Parameter& parameter : AllParameters()) {
      if (parameter.info.name == name && name != "threads") {
        throw Error(
            word.substr(0, word.find('=')) +
            ": a run goes on with the parameters that it began with; only threads may differ");
      }
    }
  }
}

// -1: as before
int ThreadsOf(const Job& job) {
  int threads = -1;
  if (!job.threads.empty() && !ParseCount(job.threads, &threads))
    throw Error("--threads: '" + job.threads + "' given, a whole number >= 0 wanted");
  return threads;
}

// Another instruction set would round differently.
void UseSimdOf(const Job& job, const std::string& simd) {
  if (!job.simd.empty() && job.simd != simd) {
    throw Error("--simd: " + job.simd + " given, but " + job.folder + " began with " + simd);
  }
  const Words targets = SimdTargets();
  if (std::find(targets.begin(), targets.end(), simd) == targets.end()) {
    throw Error(job.folder + ": began with the instruction set " + simd +
                ", which this machine lacks (it has " + Join(targets) + ")");
  }
  UseSimd(simd);
}

void PrintFinished(const Args& args, const std::string& folder) {
  const std::string model = (std::filesystem::path(folder) / "model.safetensors").string();
  Model::Load(model);  // or it says what is wrong
  ClearState(folder);
  if (!args.json())
    return Print(args.quiet() ? model + "\n" : "this run is finished; model: " + model + "\n");
  const std::string path = (std::filesystem::path(folder) / "metrics.json").string();
  const auto metrics = ReadJsonFile<nlohmann::ordered_json>(path);
  if (!metrics.is_object()) throw Error(path + ": damaged; the model is whole");
  Print(metrics.dump(2) + "\n");
}

void CheckFiles(const TrainFlags& flags, const std::string& folder) try {
  flags.CheckFiles();
} catch (const Error& e) {
  throw Error(std::string(e.what()) + "; " +
              (std::filesystem::path(folder) / "config.json").string() +
              " says where the rows are (source), and may be corrected");
}

TrainResult GoOn(const Job& job, const TrainFlags& flags, bool quiet) {
  const auto start = Clock::now();
  TrainData data = flags.Load();
  ShareWithRanks(data, flags.Source(), true);
  const std::chrono::duration<double> load = Clock::now() - start;
  CatchInterrupts();
  Progress progress(quiet, "going on with " + job.folder);
  try {
    TrainOptions options{job.folder, &progress, load.count(), flags.Source()};
    options.checkpoint_seconds = job.checkpoint_seconds;
    options.ranks = JobRanks();
    return Resume(data, options, ThreadsOf(job));
  } catch (const Stopped& e) {
    throw Stopped(StoppedMessage(e.what(), job.folder));
  }
}

void GoOnComparing(const Args& args, const Job& job) {
  CompareJob compare;
  compare.options = ReadComparison(job.folder);
  compare.options.checkpoint_seconds = job.checkpoint_seconds;
  if (!job.threads.empty()) compare.options.params.Set("threads", job.threads);
  UseSimdOf(job, compare.options.simd);
  compare.flags.TakeSource(compare.options.source, job.folder);
  compare.flags.CheckFiles();
  if (args.json()) compare.format = CompareJob::kJson;
  CompareAndPrint(compare, args.quiet());
}

}  // namespace

void RunResume(const Words& words) {
  Args args = MakeArgs();
  Job job;
  Declare(args, job);
  RefuseParameters(words);
  if (!args.Parse(words)) return;
  job.checkpoint_seconds = job.run.Check();
  ThreadsOf(job);
  ExitOnInterrupt("gopnet resume: " + StoppedMessage("interrupted", job.folder));
  if (HoldsComparison(job.folder)) return GoOnComparing(args, job);
  const RunInfo run = ReadRun(job.folder);
  if (run.finished) return PrintFinished(args, job.folder);
  UseSimdOf(job, run.simd);
  TrainFlags flags;
  flags.TakeSource(run.source, job.folder);
  CheckFiles(flags, job.folder);
  const TrainResult result = GoOn(job, flags, args.quiet());
  PrintResult(args, result, job.folder, flags.test);
}

std::string CheckResume(const Words& words) {
  Args args = MakeArgs();
  Job job;
  Declare(args, job);
  RefuseParameters(words);
  if (!args.Parse(words)) return "";
  job.run.Check();
  ThreadsOf(job);
  if (!HoldsComparison(job.folder)) ReadRun(job.folder);
  return job.folder;
}

}  // namespace gopnet::cli

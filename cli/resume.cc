// gopnet resume: continues a run that was stopped. The model is the same as without the stop.
#include "cli/commands.h"
#include "cli/ending.h"
#include "cli/json.h"
#include "cli/run_options.h"
#include "cli/train_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

struct ResumeJob {
  Args args{"resume", "gopnet resume runs/first"};
  std::string folder, threads, simd;
  int thread_count = -1;  // the value of threads; -1: as before
  RunFlags run;
};

void Declare(ResumeJob& job) {
  Args& args = job.args;
  args.Positional("RUN", &job.folder, "The folder of a run or a comparison.");
  args.Option(
      "threads", &job.threads, "N",
      "Number of threads; 0 uses all cores. Does not change the model. Default: as before.");
  DeclareSimd(args, &job.simd);
  job.run.Declare(args);
}

// An attempt to change a parameter of a run gets a clearer message than "unknown option".
void RefuseParameters(const Words& words) {
  const Words names = Mapped(AllParameters(), [](const Parameter& p) { return p.info.name; });
  for (const std::string& word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (flag.starts_with("--") && flag != "--threads" &&
        Contains(names, Underscored(flag.substr(2))))
      Fail("{}: a run keeps the parameters that it started with; only --threads may change", flag);
  }
}

void PrintFinished(const Args& args, const std::string& folder) {
  const std::string model = InFolder(folder, "model.safetensors");
  Model::Load(model);  // throws if the file is damaged
  ClearState(folder);
  if (!args.json() && args.quiet()) return PrintData(model + "\n");
  if (!args.json()) return Print("this run is finished; model: " + Printable(model) + "\n");
  const std::string path = InFolder(folder, "metrics.json");
  const auto metrics = ReadJsonFile(path);
  if (!metrics.is_object()) throw Error(path + ": is damaged; the model is intact");
  PrintJson(metrics, 2);
}

void CheckFiles(const TrainFlags& flags, const std::string& folder) try {
  flags.CheckFiles();
} catch (const Error& e) {
  Fail("{}; if the files have moved, correct \"source\" in {}", e.what(),
       InFolder(folder, "config.json"));
}

void ResumeComparison(const ResumeJob& job) {
  CompareJob compare;
  compare.run = job.run;
  compare.options = ReadComparison(job.folder);
  if (!job.threads.empty()) compare.options.params.Set("threads", job.threads);
  compare.flags.TakeSource(compare.options.source, job.folder);
  compare.flags.CheckFiles();
  if (job.args.json()) compare.format = CompareJob::kJson;
  CompareAndPrint(compare, job.args.quiet());
}

// Returns false after --help.
bool Prepare(const Words& words, ResumeJob& job) {
  Declare(job);
  RefuseParameters(words);
  if (!job.args.Parse(words)) return false;
  job.run.Check();
  if (!job.threads.empty() && !ParseCount(job.threads, &job.thread_count))
    Fail("--threads: must be an integer of at least 0; got '{}'", job.threads);
  if (!job.simd.empty()) UseSimd(job.simd);
  return true;
}

}  // namespace

void RunResume(const Words& words) {
  ResumeJob job;
  if (!Prepare(words, job)) return;
  ExitOnInterrupt("gopnet resume: " + StoppedMessage("interrupted", job.folder));
  if (HoldsComparison(job.folder)) return ResumeComparison(job);
  const RunInfo run = ReadRun(job.folder);
  if (run.finished) return PrintFinished(job.args, job.folder);
  Training training{{}, job.run, job.folder, "", "resuming " + job.folder};
  training.flags.TakeSource(run.source, job.folder);
  CheckFiles(training.flags, job.folder);
  TrainAndPrint(training, job.args, [&](const TrainData& data, const TrainOptions& options) {
    return Resume(data, options, job.thread_count);
  });
}

std::string CheckResume(const Words& words) {
  ResumeJob job;
  if (!Prepare(words, job)) return "";
  if (!HoldsComparison(job.folder)) ReadRun(job.folder);
  return job.folder;
}

}  // namespace gopnet::cli

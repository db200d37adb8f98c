// gopnet compare: runs several algorithms with several seeds on one data set and prints one table.
#include "cli/commands.h"
#include "cli/run_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

struct CompareFlags : CompareJob {
  Args args{"compare",
            "gopnet compare --train train.csv --algorithms popfast,popmem-o --runs 3 --markdown"};
  std::string algorithms = "all", runs = "3";
  bool csv = false, markdown = false;
};

void Declare(CompareFlags& job) {
  Args& args = job.args;
  auto& parameters = job.flags.parameters;
  job.flags.DeclareData(args);
  args.Group("Comparison");
  args.Option("algorithms", &job.algorithms, "LIST",
              "Algorithms to compare, e.g. popfast,popmem-o; gopnet help algorithms lists them. "
              "popmem-o also adds popfast*: popfast with as many neurons per layer as popmem-o has "
              "neurons and memory dimensions. Default: all.");
  args.Option("memory", &parameters["memory"], "LIST",
              "Memory types of the algorithms that have a memory, one table row each. Default: "
              "all.");
  args.Option("runs", &job.runs, "N",
              "Runs per algorithm, with seeds seed, seed + 1, ... Default: 3.");
  args.Option("test_split", &parameters["test_split"], "N",
              "Fraction of all rows held out for the test metrics if there is no --test. Default: "
              "0.2.");
  args.Option("val_split", &parameters["val_split"], "N",
              "Fraction of the remaining rows held out for validation if there is no --val. "
              "Default: 0.25, so 60 % of the rows train, 20 % validate and 20 % test; with --test, "
              "the default of the preset.");
  args.Option("seed", &parameters["seed"], "N", "Seed of each algorithm's first run. Default: 1.");
  args.Flag("resplit", &job.options.resplit,
            "Split the rows anew for every run. By default all runs use the same split.");
  args.Option("threads", &parameters["threads"], "N",
              "Number of runs at a time, one thread each; 0 uses all cores. Does not change the "
              "scores. Default: 0.");
  args.Group("Training");
  job.flags.DeclareSettings(args);
  args.Group("Output (the exit code is 2 if a run failed)");
  args.Option("out", &job.options.folder, "DIR",
              "Folder for compare.json, the runs, and table.json, .csv and .md. The same command "
              "with the same folder continues a comparison, also with more runs or algorithms. "
              "Default: runs/compare-<date>-<n>.");
  job.run.Declare(args);
  args.Flag("csv", &job.csv, "Print the table as CSV.");
  args.Flag("markdown", &job.markdown, "Print the table as Markdown.");
}

// The table shows the test metric, so there must be test rows: by default 60 % of the rows train,
// 20 % validate and 20 % test.
void FillInSplits(const TrainFlags& flags, Params& params) {
  if (!flags.test.empty()) return;
  if (!params.Has("test_split")) params.Set("test_split", 0.2);
  if (flags.val.empty() && !params.Has("val_split")) params.Set("val_split", 0.25);
}

std::string SplitSummary(const CompareFlags& job, const CompareSystem& system) {
  const auto values = Resolve(system.algorithm, system.params);
  const std::string val = values.at("val_split"), test = values.at("test_split");
  if (job.flags.test.empty() && test == "0")
    throw Error("--test-split: must be above 0 without --test, because test rows decide; got 0");
  Words parts;
  if (job.flags.test.empty()) parts.push_back(test + " of the rows for test");
  if (job.flags.val.empty() && val != "0")
    parts.push_back(val + (parts.empty() ? " of the rows for val" : " of the rest for val"));
  if (parts.empty()) return "";
  return "split: " + Join(parts) +
         (job.options.resplit ? ", a new split for every run" : ", the same split for every run");
}

// Checks all options before the rows are read, which may take long. Returns false after --help.
bool Prepare(const Words& words, CompareFlags& job) {
  Declare(job);
  if (!job.args.Parse(words)) return false;
  if (job.args.json() + job.csv + job.markdown > 1)
    throw Error("use only one of --json, --csv and --markdown");
  job.flags.ReadConfigFile(job.args);
  if (!job.flags.simd.empty()) UseSimd(job.flags.simd);
  CompareOptions& options = job.options;
  job.run.Check();
  if (job.algorithms != "all") options.algorithms = Split(job.algorithms, ',');
  if (!ParseCount(job.runs, &options.runs))
    Fail("--runs: must be an integer of at least 1; got '{}'", job.runs);
  options.params = job.flags.Chosen(job.args);
  job.flags.CheckGrid(job.args, options.params, options.algorithms);
  FillInSplits(job.flags, options.params);
  options.source = job.flags.Source();
  if (options.folder.empty()) job.chosen_for = "compare";
  if (options.folder.empty()) options.folder = NewRunFolder(job.chosen_for);
  const CompareSystem first = CheckComparison(options).front();
  job.flags.CheckFiles();
  job.split = SplitSummary(job, first);
  return true;
}

}  // namespace

void RunCompare(const Words& words) {
  CompareFlags job;
  if (!Prepare(words, job)) return;
  if (job.args.json()) job.format = CompareFlags::kJson;
  if (job.csv) job.format = CompareFlags::kCsv;
  if (job.markdown) job.format = CompareFlags::kMarkdown;
  CompareAndPrint(job, job.args.quiet());
}

std::string CheckCompare(const Words& words) {
  CompareFlags job;
  return Prepare(words, job) ? job.options.folder : "";
}

}  // namespace gopnet::cli

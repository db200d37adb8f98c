// gopnet compare: several algorithms on one data set, several seeds each, one table.
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
              "What to compare, for instance popfast,popmem-o; gopnet help algorithms lists them. "
              "With popmem-o comes popfast*: popfast with as many neurons a layer as popmem-o has "
              "neurons and memory. Default: all.");
  args.Option("memory", &parameters["memory"], "LIST",
              "Memories of the algorithms that have one, a row each. Default: every one.");
  args.Option("runs", &job.runs, "N", "Runs of each, with seeds seed, seed + 1, ... Default: 3.");
  args.Option("test_split", &parameters["test_split"], "N",
              "Part of all rows held out for the test metrics when no test set is given. Default: "
              "0.2.");
  args.Option("val_split", &parameters["val_split"], "N",
              "Part of the remaining rows held out for validation when no validation set is given. "
              "Default: 0.25, so that 60, 20 and 20 % train, validate and test; with --test that "
              "of the preset.");
  args.Option("seed", &parameters["seed"], "N", "Seed of the first runs. Default: 1.");
  args.Flag("resplit", &job.options.resplit,
            "Every run splits the rows anew. Without it all runs see the same rows.");
  args.Option("threads", &parameters["threads"], "N",
              "Runs side by side, one thread each; 0 is as many as there are cores. Changes the "
              "time, never the numbers. Default: 0.");
  args.Group("Training");
  job.flags.DeclareSettings(args);
  args.Group("Output (exit code 2 if a run failed, after the table of the others)");
  args.Option("out", &job.options.folder, "DIR",
              "Gets compare.json, a folder for each run, and table.json, .csv and .md. The same "
              "command again with the same folder, or gopnet resume, goes on where it was stopped, "
              "the command also with more runs or algorithms. Default: runs/compare-<date>-<n>.");
  job.run.Declare(args);
  args.Flag("csv", &job.csv, "The table as CSV.");
  args.Flag("markdown", &job.markdown, "The table as Markdown.");
}

// The table is of the test metric, so there must be test rows: 60 % of the rows train, 20 %
// validate, 20 % test.
void FillInSplits(const TrainFlags& flags, Params& params) {
  if (!flags.test.empty()) return;
  if (!params.Has("test_split")) params.Set("test_split", 0.2);
  if (flags.val.empty() && !params.Has("val_split")) params.Set("val_split", 0.25);
}

std::string SplitSummary(const CompareFlags& job, const CompareSystem& system) {
  const auto values = Resolve(system.algorithm, system.params);
  const std::string val = values.at("val_split"), test = values.at("test_split");
  if (job.flags.test.empty() && test == "0")
    throw Error("--test-split: 0 given, which leaves nothing to compare by");
  Words parts;
  if (job.flags.test.empty()) parts.push_back(test + " of the rows for test");
  if (job.flags.val.empty() && val != "0")
    parts.push_back(val + (parts.empty() ? " of the rows for val" : " of the others for val"));
  if (parts.empty()) return "";
  return "split: " + Join(parts) +
         (job.options.resplit ? ", anew for every run" : ", the same for every run");
}

// Finds what is wrong before rows are read, which may take long. False after --help.
bool Prepare(const Words& words, CompareFlags& job) {
  Declare(job);
  if (!job.args.Parse(words)) return false;
  if (job.args.json() + job.csv + job.markdown > 1)
    throw Error("--json, --csv and --markdown exclude each other");
  job.flags.ReadConfigFile(job.args);
  if (!job.flags.simd.empty()) UseSimd(job.flags.simd);
  CompareOptions& options = job.options;
  job.run.Check();
  if (job.algorithms != "all") options.algorithms = Split(job.algorithms, ',');
  if (!ParseCount(job.runs, &options.runs))
    Fail("--runs: '{}' given, a whole number >= 1 wanted", job.runs);
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

// Runs a comparison and prints its table, for gopnet compare and gopnet resume.
#include <algorithm>

#include "cli/console.h"
#include "cli/ending.h"
#include "cli/files.h"
#include "cli/ranks.h"
#include "cli/run_options.h"
#include "cli/summary.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

// Prints a line for each finished run and, in a terminal, one below them with the runs in progress.
// The headlines come first, then the number of rows, then the notes.
class CompareProgress : public CompareObserver {
 public:
  CompareProgress(bool quiet, Words headlines, Words notes)
      : headlines_(std::move(headlines)), notes_(std::move(notes)), status_(quiet) {}

  void OnStart(const Comparison& comparison, int done, int total) override {
    metric_ = comparison.metric;
    done_ = done;
    total_ = total;
    for (const CompareRow& row : comparison.rows)
      name_width_ = std::max(name_width_, row.system.name.size());
    for (const std::string& line : headlines_) status_.Line(line);
    status_.Line(RowsSummary(comparison.data));
    for (const std::string& note : notes_) status_.Line(note);
    status_.Line(fmt::format("runs: {} (systems: {}, seeds: {}), up to {} at a time{}", total,
                             comparison.rows.size(), comparison.seeds.size(), comparison.threads,
                             done > 0 ? fmt::format("; {} already finished", done) : ""));
  }

  void OnRunStart(const CompareSystem& system, unsigned long long seed) override {
    running_[{system.name, seed}] = "";
    DrawRunning();
  }

  void OnCandidate(const CompareSystem& system, unsigned long long seed,
                   const CandidateEvent& event) override {
    running_[{system.name, seed}] =
        fmt::format(" layer {} {}/{}", event.layer, event.done, event.total);
    DrawRunning();
  }

  void OnRun(const CompareSystem& system, const CompareRun& run, int done, int total,
             double seconds_left) override {
    running_.erase({system.name, run.seed});
    done_ = done;
    std::string line = fmt::format("{}  {:{}}  seed {}  ", CountOf(done, total), system.name,
                                   name_width_, run.seed);
    if (!run.error.empty()) return status_.Line(line + "failed: " + run.error);
    const size_t layers = run.widths.size();
    line += fmt::format("test {} {}  {} layer{}  {}", metric_, run.test ? Fixed(*run.test, 4) : "-",
                        layers, layers == 1 ? "" : "s", Duration(run.seconds));
    status_.Line(seconds_left > 0 ? line + "  ~" + Duration(seconds_left) + " left" : line);
  }

  void OnWarning(const std::string& warning) override { status_.Line("warning: " + warning); }
  bool Continue() override { return status_.Continue(); }

 private:
  void DrawRunning() {
    if (!status_.terminal() || !status_.Due()) return;
    const Words runs = Mapped(running_, [](const auto& run) {
      return fmt::format("{} {}{}", run.first.first, run.first.second, run.second);
    });
    status_.Draw(CountOf(done_, total_) + "  running: " + Join(runs));
  }

  const Words headlines_, notes_;
  StatusLine status_;
  std::map<std::pair<std::string, unsigned long long>, std::string>
      running_;  // progress by system and seed
  std::string metric_;
  size_t name_width_ = 0;
  int done_ = 0, total_ = 0;
};

Comparison Run(CompareJob& job, bool quiet) {
  TableReport report;
  TrainData data = job.flags.Load(&report);
  const ClaimedFolder claim(job.options.folder, job.chosen_for);
  job.options.folder = claim.path();
  PrepareFinalErrorOfRun(job.options.folder);
  ShareWithRanks(data, job.flags.Source());
  CatchInterrupts();
  Words notes = Mapped(report.warnings, [](const auto& text) { return "warning: " + text; });
  if (!job.split.empty()) notes.push_back(job.split);
  CompareProgress progress(quiet, Headlines(report, data.train, job.flags.task == "auto"), notes);
  CompareOptions options = job.options;
  options.checkpoint_seconds = job.run.checkpoint_seconds;
  options.memory_limit = job.run.memory_bytes;
  options.ranks = JobRanks();
  return Compare(data, options, &progress);
}

// The meaning of the star in the table.
std::string Best(const Comparison& comparison) {
  Words names;
  for (const CompareRow& row : comparison.rows)
    if (comparison.IsBest(row)) names.push_back(row.system.name);
  return names.size() < 2 ? "* best"
                          : fmt::format("* best: {} systems tie: {}", names.size(), Join(names));
}

std::string Text(const Comparison& comparison, const std::string& folder) {
  std::vector<Words> rows = TableCells(comparison);
  constexpr auto kAfterTest = 3;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool best = i > 0 && comparison.IsBest(comparison.rows[i - 1]);
    rows[i].insert(rows[i].begin() + kAfterTest, best ? "*" : "");
  }
  const bool val = comparison.data.at("val") > 0;
  return fmt::format("{}\n\n{}{}{}\n\nruns and tables: {}\n", TableNote(comparison), Table(rows),
                     Best(comparison),
                     val ? "; val is optimistic because it chose the networks" : "", folder);
}

// Reports failures last, so that they are not lost among the other lines.
void CheckFailures(const Comparison& comparison) {
  int failed = 0, runs = 0;
  std::string first;
  for (const CompareRow& row : comparison.rows) {
    if (row.system.algorithm == "linear") continue;  // no run trains it
    for (const CompareRun& run : row.runs) {
      ++runs;
      if (run.error.empty()) continue;
      if (failed++ == 0)
        first = fmt::format("{} seed {}: {}", row.system.name, run.seed, run.error);
    }
  }
  if (failed > 0) Fail("{} of {} runs failed; the first failure: {}", failed, runs, first);
}

}  // namespace

void CompareAndPrint(CompareJob job, bool quiet) {
  const Comparison comparison = Resumable(job.options.folder, [&] { return Run(job, quiet); });
  if (!job.run.no_report) WriteReportOrWarn(job.options.folder);
  switch (job.format) {
    case CompareJob::kJson:
      PrintData(ToJson(comparison) + "\n");
      break;
    case CompareJob::kCsv:
      PrintData(ToCsv(comparison));
      break;
    case CompareJob::kMarkdown:
      PrintData(ToMarkdown(comparison));
      break;
    case CompareJob::kText:
      Print(Text(comparison, Printable(job.options.folder)));
      break;
  }
  CheckFailures(comparison);
}

}  // namespace gopnet::cli

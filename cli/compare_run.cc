#include "cli/compare_run.h"

#include "cli/compare_progress.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/ranks.h"
#include "cli/run_options.h"
#include "cli/summary.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

Comparison Run(const CompareJob& job, bool quiet) {
  TrainData data = job.flags.Load();
  ShareWithRanks(data, job.flags.Source(), !job.flags.simd.empty() || !job.options.simd.empty());
  CatchInterrupts();
  Words headlines = {DataSummary(data.train, job.flags.task == "auto")};
  if (!job.split.empty()) headlines.push_back(job.split);
  CompareProgress progress(quiet, headlines);
  try {
    CompareOptions options = job.options;
    options.ranks = JobRanks();
    return Compare(data, options, &progress);
  } catch (const Stopped& e) {
    throw Stopped(StoppedMessage(e.what(), job.options.folder));
  }
}

std::string Text(const Comparison& comparison, const std::string& folder) {
  std::vector<Words> rows = TableCells(comparison);
  constexpr auto kAfterTest = 3;
  rows[0].insert(rows[0].begin() + kAfterTest, "");
  for (size_t i = 0; i < comparison.rows.size(); ++i) {
    rows[i + 1].insert(rows[i + 1].begin() + kAfterTest,
                       comparison.IsBest(comparison.rows[i]) ? "*" : "");
  }
  return TableNote(comparison) + "\n\n" + Table(rows) + "* best" +
         (comparison.data.at("val") > 0 ? "; val is optimistic: the networks were chosen by it"
                                        : "") +
         "\n\nruns and tables: " + folder + "\n";
}

// Told last, so that it is not lost among the lines of the others.
void CheckFailures(const Comparison& comparison) {
  int failed = 0, runs = 0;
  std::string first;
  for (const CompareRow& row : comparison.rows) {
    for (const CompareRun& run : row.runs) {
      ++runs;
      if (run.error.empty()) continue;
      if (failed++ == 0)
        first = row.system.name + " seed " + std::to_string(run.seed) + ": " + run.error;
    }
  }
  if (failed == 0) return;
  throw Error(std::to_string(failed) + " of " + std::to_string(runs) + " runs failed; the first, " +
              first);
}

}  // namespace

void CompareAndPrint(const CompareJob& job, bool quiet) {
  const Comparison comparison = Run(job, quiet);
  switch (job.format) {
    case CompareJob::kJson:
      Print(ToJson(comparison) + "\n");
      break;
    case CompareJob::kCsv:
      Print(ToCsv(comparison));
      break;
    case CompareJob::kMarkdown:
      Print(ToMarkdown(comparison));
      break;
    case CompareJob::kText:
      Print(Text(comparison, job.options.folder));
      break;
  }
  CheckFailures(comparison);
}

}  // namespace gopnet::cli

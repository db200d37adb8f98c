// gopnet importance: which columns a model relies on, by shuffling one at a time.
#include <algorithm>
#include <cmath>

#include "cli/commands.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr int kBar = 30;  // columns of the longest bar
constexpr size_t kMostShown = 40;

struct ImportanceFlags : LabelledRows {
  std::string repeats = "5", seed = "1", threads = "0", csv;
  bool force = false;
};

void Declare(Args& args, ImportanceFlags& flags) {
  flags.LabelledRows::Declare(
      args, "RUN", "A run folder, or a model.safetensors.",
      "Labelled rows, best such that training did not see; columns as in training.",
      "A column of row weights in DATA, left aside.");
  args.Option("repeats", &flags.repeats, "N", "Shuffles of each column. Default: 5.");
  args.Option("seed", &flags.seed, "N", "What the shuffles depend on. Default: 1.");
  args.Option("threads", &flags.threads, "N", "Worker threads; 0 uses all cores. Default: 0.");
  args.Option("csv", &flags.csv, "FILE",
              "Writes name,mean,std to a new file. Default: importance.csv in the run folder.");
  args.Flag("force", &flags.force, "Lets --csv overwrite a file.");
}

ImportanceOptions Options(const ImportanceFlags& flags) {
  ImportanceOptions options;
  options.repeats = Count("--repeats", flags.repeats, 1, 1000000);
  if (!ParseNumber(flags.seed, &options.seed))
    Fail("--seed: '{}' given, a whole number >= 0 wanted", flags.seed);
  options.threads = Count("--threads", flags.threads, 0, 4096);
  return options;
}

std::string Bars(const Importance& importance) {
  std::vector<ColumnImportance> columns = importance.columns;
  std::ranges::stable_sort(columns, std::ranges::greater(), &ColumnImportance::mean);
  const double most = std::max(columns.front().mean, 1e-12);
  const int repeats = importance.repeats;
  std::vector<Words> rows = {{"column", "drop", "std error", ""}};
  for (const ColumnImportance& c : columns) {
    if (rows.size() > kMostShown) break;
    const auto length = static_cast<size_t>(std::max(0.0, c.mean / most * kBar + 0.5));
    rows.push_back({c.name, Fixed(c.mean, 4),
                    repeats > 1 ? Fixed(c.std / std::sqrt(repeats), 4) : "-",  // one tells none
                    std::string(length, '#')});
  }
  std::string text =
      fmt::format("{} {:.4f} on {} rows; how much it drops if a column is shuffled:\n{}",
                  importance.metric, importance.score, Grouped(importance.rows), Table(rows));
  if (columns.size() > kMostShown)
    text += fmt::format("and {} columns more\n", columns.size() - kMostShown);
  return text;
}

}  // namespace

void RunImportance(const Words& words) {
  Args args("importance", "gopnet importance runs/first test.csv");
  ImportanceFlags flags;
  Declare(args, flags);
  if (!args.Parse(words)) return;
  const ImportanceOptions options = Options(flags);
  const Model model = flags.Load();
  std::string csv = flags.csv;         // where the table goes; empty: nowhere
  const bool own = flags.csv.empty();  // of the run, as report.html is
  if (!own) CheckCanWrite(csv, flags.force);
  if (!own) CheckNoInput(csv, {ModelFile(flags.model), flags.rows, flags.read.labels_path});
  if (own && IsFolder(flags.model)) csv = InFolder(flags.model, "importance.csv");
  const Dataset data = flags.Read(model, args.quiet());
  const Importance importance = PermutationImportance(model, data, options);
  if (!csv.empty()) WriteFileAtomically(csv, ToCsv(importance), own || flags.force);
  if (!csv.empty() && own) Vouch(flags.model, "importance.csv");
  if (args.json()) return PrintData(ToJson(importance) + "\n");
  Print(Bars(importance));
  if (!csv.empty() && !args.quiet()) Note("table: " + csv);
}

}  // namespace gopnet::cli

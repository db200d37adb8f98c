// gopnet importance: shows which columns a model relies on, by shuffling one column at a time.
#include <algorithm>
#include <cmath>

#include "cli/commands.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr int kBar = 30;  // characters of the longest bar
constexpr size_t kMaxShown = 40;

struct ImportanceFlags : LabelledRows {
  std::string repeats = "5", seed = "1", threads = "0", csv;
  bool force = false;
};

void Declare(Args& args, ImportanceFlags& flags) {
  flags.LabelledRows::Declare(
      args, "RUN", "A run folder or a model.safetensors file.",
      "Labelled rows with the columns of training, preferably rows that training did not see.",
      "Column with row weights in DATA, which is ignored.");
  args.Option("repeats", &flags.repeats, "N", "Number of shuffles per column. Default: 5.");
  args.Option("seed", &flags.seed, "N", "Seed of the shuffles. Default: 1.");
  args.Option("threads", &flags.threads, "N", "Number of threads; 0 uses all cores. Default: 0.");
  args.Option("csv", &flags.csv, "FILE",
              "Write name, mean and std to a file. Default: importance.csv in the run folder.");
  args.Flag("force", &flags.force, "Overwrite the file of --csv.");
}

ImportanceOptions Options(const ImportanceFlags& flags) {
  ImportanceOptions options;
  options.repeats = Count("--repeats", flags.repeats, 1, 1000000);
  if (!ParseNumber(flags.seed, &options.seed))
    Fail("--seed: must be an integer of at least 0; got '{}'", flags.seed);
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
    if (rows.size() > kMaxShown) break;
    const auto length = static_cast<size_t>(std::max(0.0, c.mean / most * kBar + 0.5));
    rows.push_back({c.name, Fixed(c.mean, 4),
                    repeats > 1 ? Fixed(c.std / std::sqrt(repeats), 4) : "-",
                    std::string(length, '#')});
  }
  std::string text =
      fmt::format("{} {:.4f} on {} rows; drop when one column is shuffled:\n{}", importance.metric,
                  importance.score, Grouped(importance.rows), Table(rows));
  if (columns.size() > kMaxShown)
    text += fmt::format("and {} more columns\n", columns.size() - kMaxShown);
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
  std::string csv = flags.csv;         // the file to write; empty: none
  const bool own = flags.csv.empty();  // it is a file of the run
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

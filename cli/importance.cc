// gopnet importance: which columns a model relies on, by shuffling one at a time.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr int kBar = 30;  // columns of the longest bar
constexpr size_t kMostShown = 40;

struct Flags {
  std::string model, data, repeats = "5", seed = "1", threads = "0", csv;
  ReadOptions read;
  TableFlags table;
  bool force = false;
};

void Declare(Args& args, Flags& flags) {
  args.Positional("RUN", &flags.model, "A run folder, or a model.safetensors.");
  args.Positional("DATA", &flags.data,
                  "Labelled rows, best such that training did not see; columns as in training.");
  args.Option("labels", &flags.read.labels_path, "FILE", "Their targets, if not a column of DATA.");
  args.Option("target", &flags.read.target, "COLUMN",
              "The target by name or 0-based index. Default: as in training.");
  args.Option("weight_column", &flags.read.weight_column, "COLUMN",
              "A column of row weights in DATA, left aside.");
  flags.table.DeclareReading(args);
  args.Option("repeats", &flags.repeats, "N", "Shuffles of each column. Default: 5.");
  args.Option("seed", &flags.seed, "N", "What the shuffles depend on. Default: 1.");
  args.Option("threads", &flags.threads, "N", "Worker threads; 0 uses all cores. Default: 0.");
  args.Option("csv", &flags.csv, "FILE",
              "Writes name,mean,std to a new file. Default: importance.csv in the run folder.");
  args.Flag("force", &flags.force, "Lets --csv overwrite a file.");
}

unsigned long long Seed(const std::string& text) {
  unsigned long long seed = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || rest != end)
    Fail("--seed: '{}' given, a whole number >= 0 wanted", text);
  return seed;
}

std::string Bars(const Importance& importance, int repeats) {
  std::vector<ColumnImportance> columns = importance.columns;
  std::stable_sort(columns.begin(), columns.end(),
                   [](const auto& a, const auto& b) { return a.mean > b.mean; });
  const double most = std::max(columns.front().mean, 1e-12);
  std::vector<Words> rows = {{"column", "drop", "std error", ""}};
  for (const ColumnImportance& c : columns) {
    if (rows.size() > kMostShown) break;
    const auto length = static_cast<size_t>(std::max(0.0, c.mean / most * kBar + 0.5));
    rows.push_back(
        {c.name, Fixed(c.mean, 4), Fixed(c.std / std::sqrt(repeats), 4), std::string(length, '#')});
  }
  std::string text =
      fmt::format("{} {:.4f} on {} rows; how much it drops if a column is shuffled:\n{}",
                  importance.metric, importance.score, Grouped(importance.rows), Table(rows));
  if (columns.size() > kMostShown)
    text += fmt::format("and {} columns more\n", columns.size() - kMostShown);
  return text;
}

// Where the table goes; empty: nowhere.
std::string TableFile(const Flags& flags) {
  if (!flags.csv.empty()) return flags.csv;
  std::error_code ignored;
  const bool run = std::filesystem::is_directory(flags.model, ignored);
  return run ? InFolder(flags.model, "importance.csv") : "";
}

}  // namespace

void RunImportance(const Words& words) {
  Args args("importance", "which columns a model relies on",
            "gopnet importance runs/first test.csv");
  Flags flags;
  Declare(args, flags);
  if (!args.Parse(words)) return;
  ImportanceOptions options;
  options.repeats = Count("--repeats", flags.repeats, 1, 1000000);
  options.seed = Seed(flags.seed);
  options.threads = Count("--threads", flags.threads, 0, 4096);
  const std::string model_file = ModelFile(flags.model);
  CheckReadable(flags.data);
  if (!flags.read.labels_path.empty()) CheckReadable(flags.read.labels_path);
  const std::string csv = TableFile(flags);
  const bool own = flags.csv.empty();  // of the run, as report.html is
  if (!own) CheckCanWrite(csv, flags.force);
  flags.table.Set(&flags.read);

  const Model model = Model::Load(model_file);
  flags.read.task = model.task();
  flags.read.like = &model.schema();
  TableReport report;
  flags.read.report = &report;
  const Dataset data = ReadDataset(flags.data, flags.read);
  for (const std::string& warning : report.warnings)
    if (!args.quiet()) Note("warning: " + warning);
  const Importance importance = PermutationImportance(model, data, options);
  if (!csv.empty()) WriteNewFile(csv, ToCsv(importance), own || flags.force);
  if (!csv.empty() && own) Vouch(flags.model, "importance.csv");
  if (args.json()) return Print(ToJson(importance) + "\n");
  Print(Bars(importance, options.repeats));
  if (!csv.empty() && !args.quiet()) Note("table: " + csv);
}

}  // namespace gopnet::cli

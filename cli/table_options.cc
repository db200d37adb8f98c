#include "cli/table_options.h"

#include <algorithm>

#include "cli/console.h"
#include "cli/files.h"
#include "cli/summary.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMostColumns = 30;  // that are shown

// What a word stands for; `complaint` is of one that stands for nothing.
template <class T>
T Meaning(const std::string& word, const std::map<std::string, T>& meanings,
          fmt::format_string<const std::string&> complaint) {
  const T* meaning = Find(meanings, word);
  if (meaning == nullptr) Fail(complaint, word);
  return *meaning;
}

char Separator(const std::string& text) {
  if (text.empty() || text == "auto") return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "blank" || text == "blanks" || text == "space") return ' ';
  if (text.size() == 1 && std::string(",;|\t ").find(text) != std::string::npos) return text[0];
  Fail("--separator: '{}' given; it is one of , ; | tab blanks auto", text);
}

Words List(const std::string& text) { return text.empty() ? Words{} : Split(text, ','); }

// A column of numbers that never change tells nothing, but is no reason to look closer.
bool IsNumeric(const ColumnReport& c) {
  return c.kind == "number" || (c.kind == "constant" && c.used);
}

bool IsPlain(const TableReport& report) {
  return std::ranges::all_of(report.columns, [](const ColumnReport& c) {
    return c.kind == "target" || c.kind == "weight" || (IsNumeric(c) && c.blanks == 0);
  });
}

bool IsTarget(const ColumnReport& c) { return c.kind == "target"; }

// "columns: 64 numbers, 3 of them constant"
std::string Brief(const TableReport& report) {
  size_t numbers = 0, constant = 0;
  for (const ColumnReport& column : report.columns) {
    numbers += IsNumeric(column);
    constant += column.kind == "constant";
  }
  return fmt::format("columns: {} number{}{}\n", Grouped(numbers), numbers == 1 ? "" : "s",
                     constant > 0 ? fmt::format(", {} of them constant", constant) : "");
}

}  // namespace

std::optional<Task> ParseTask(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "classification") return Task::kClassification;
  if (name == "regression") return Task::kRegression;
  Fail("--task: unknown task '{}'{}; it is auto, classification or regression", name,
       Hint(name, {"auto", "classification", "regression"}));
}

const std::vector<FlagOption<TableFlags>>& TableFlags::Options() {
  static const std::vector<FlagOption<TableFlags>> options = {
      {"header", &TableFlags::header, "yes|no|auto",
       "Whether the first line of a text file names the columns. Default: auto."},
      {"separator", &TableFlags::separator, "CHAR",
       "What stands between fields: , ; | tab or blanks. Default: auto."},
      {"decimal", &TableFlags::decimal, "CHAR", "The decimal sign: . or , Default: auto."},
      {"id", &TableFlags::id, "COLUMN",
       "A column that names the rows: no feature, and written beside predictions."},
      {"ignore", &TableFlags::ignore, "COLUMNS", "Columns to leave out, by name or index."},
      {"missing", &TableFlags::missing, "auto|mean|error",
       "Blanks and NaN: filled by the mean of their column, where they are many with one more "
       "feature that tells (auto); filled only (mean); refused (error). Default: auto."},
      {"strict", &TableFlags::strict, "[BOOL]", "An error instead of every guess."},
      {"categorical", &TableFlags::categorical, "[COLUMNS]",
       "Columns that hold categories, even if these are numbers. Text columns are found without it "
       "(auto). Without a value: up to 1000 categories a column instead of 50."},
      {"date", &TableFlags::date, "COLUMNS",
       "Columns that hold dates; day:dmy or day:mdy says in which order."},
  };
  return options;
}

void TableFlags::Declare(Args& args, bool new_rows) {
  for (const auto& option : Options()) {
    const bool of_training =
        option.value == &TableFlags::categorical || option.value == &TableFlags::date;
    if (!new_rows || !of_training)
      args.Option(option.name, &(this->*option.value), option.label, option.doc);
  }
}

void TableFlags::Check() const {
  ReadOptions ignored;
  Set(&ignored);
}

void TableFlags::Set(ReadOptions* options) const {
  using M = ReadOptions::Missing;
  options->header =
      Meaning<std::optional<bool>>(header, {{"", {}}, {"auto", {}}, {"yes", true}, {"no", false}},
                                   "--header: '{}' given; it is yes, no or auto");
  options->separator = Separator(separator);
  options->decimal = Meaning<char>(decimal, {{"", 0}, {"auto", 0}, {".", '.'}, {",", ','}},
                                   "--decimal: '{}' given; it is . or ,");
  options->missing = Meaning<M>(
      missing, {{"", M::kAuto}, {"auto", M::kAuto}, {"mean", M::kMean}, {"error", M::kError}},
      "--missing: '{}' is not known; it is auto, mean or error");
  options->strict =
      Meaning<bool>(strict, {{"", false}, {"false", false}, {"true", true}},
                    "--strict: '{}' given, true or false wanted; alone it means true");
  options->drop_unlabelled = true;
  options->id = id;
  if (!ignore.empty()) options->ignore = {ignore};  // a name may hold a comma
  options->dates = List(date);
  options->categories = List(categorical);
  options->categorical = std::erase(options->categories, "true") > 0;
  std::erase_if(options->categories,
                [](const std::string& s) { return s == "auto" || s == "false"; });
}

void LabelledRows::Declare(Args& args, const char* model_label, const char* model_doc,
                           const char* rows_doc, const char* weights_doc) {
  args.Positional(model_label, &model, model_doc);
  args.Positional("DATA", &rows, rows_doc);
  args.Option("labels", &read.labels_path, "FILE", "Their targets, if not a column of DATA.");
  args.Option("target", &read.target, "COLUMNS",
              "The target by name or 0-based index. Default: as in training.");
  args.Option("weight_column", &read.weight_column, "COLUMN", weights_doc);
  table.Declare(args, /*new_rows=*/true);
}

Model LabelledRows::Load() const {
  const std::string file = ModelFile(model);
  CheckReadable(rows);
  if (!read.labels_path.empty()) CheckReadable(read.labels_path);
  table.Check();
  return Model::Load(file);
}

Dataset LabelledRows::Read(const Model& of, bool quiet) const {
  TableReport report;
  ReadOptions options = read;
  options.task = of.task();
  options.like = &of.schema();
  options.report = &report;
  table.Set(&options);
  const Dataset data = ReadDataset(rows, options);
  NoteWarnings(report, quiet);
  return data;
}

void NoteWarnings(const TableReport& report, bool quiet) {
  for (const std::string& warning : report.warnings)
    if (!quiet) Note("warning: " + warning);
}

std::string ColumnsTable(const TableReport& report, bool brief, bool all) {
  if (brief && IsPlain(report)) return Brief(report);
  std::vector<Words> rows = {{"column", "is", "blanks", "distinct", "use"}};
  if (brief) rows[0].erase(rows[0].begin() + 3);
  const auto targets = static_cast<size_t>(std::ranges::count_if(report.columns, IsTarget));
  size_t room[] = {kMostColumns - std::min(targets, kMostColumns / 2), kMostColumns / 2};
  for (const ColumnReport& c : report.columns) {
    size_t& left = room[IsTarget(c) ? 1 : 0];
    if (!all && left == 0) continue;
    left -= left > 0;
    const std::string distinct = c.distinct > 0 ? Grouped(c.distinct) : "-";
    rows.push_back({c.name, c.kind, Grouped(c.blanks), distinct, c.use});
    if (brief) rows.back().erase(rows.back().begin() + 3);
  }
  const size_t more = report.columns.size() - (rows.size() - 1);
  if (more == 0) return Table(rows);
  return fmt::format("{}and {} more column{}{}\n", Table(rows), Grouped(more), more == 1 ? "" : "s",
                     brief       ? ""
                     : more == 1 ? " (--all lists it)"
                                 : " (--all lists them)");
}

Words Headlines(const TableReport& report, const Dataset& data, bool task_was_chosen) {
  Words lines = Split(ColumnsTable(report, true), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  lines.push_back(DataSummary(data, task_was_chosen));
  return lines;
}

}  // namespace gopnet::cli

#include "cli/table_options.h"

#include <algorithm>

#include "cli/console.h"
#include "cli/files.h"
#include "cli/summary.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxColumns = 30;  // in a table of columns

// The value that a word stands for. Throws Error with `message` for any other word.
template <class T>
T ValueOf(const std::string& word, const std::map<std::string, T>& values,
          fmt::format_string<const std::string&> message) {
  const T* value = Find(values, word);
  if (value == nullptr) Fail(message, word);
  return *value;
}

char Separator(const std::string& text) {
  if (text.empty() || text == "auto") return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "blank" || text == "blanks" || text == "space") return ' ';
  if (text.size() == 1 && std::string(",;|\t ").find(text) != std::string::npos) return text[0];
  Fail("--separator: must be one of , ; | tab blanks auto; got '{}'", text);
}

Words List(const std::string& text) { return text.empty() ? Words{} : Split(text, ','); }

// Counts a column with a single number as numeric: it is useless, but no reason to list all
// columns.
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
  Fail("--task: must be auto, classification or regression; got '{}'{}", name,
       Hint(name, {"auto", "classification", "regression"}));
}

const std::vector<FlagOption<TableFlags>>& TableFlags::Options() {
  static const std::vector<FlagOption<TableFlags>> options = {
      {"header", &TableFlags::header, "yes|no|auto",
       "Whether the first line of a text file names the columns. Default: auto."},
      {"separator", &TableFlags::separator, "CHAR",
       "Field separator: , ; | tab or blanks. Default: auto."},
      {"decimal", &TableFlags::decimal, "CHAR", "Decimal sign: . or , or auto. Default: auto."},
      {"id", &TableFlags::id, "COLUMN",
       "Column that identifies the rows. It is not a feature; predictions repeat it."},
      {"ignore", &TableFlags::ignore, "COLUMNS", "Columns to leave out, by name or index."},
      {"missing", &TableFlags::missing, "auto|mean|error",
       "Handling of blanks and NaN. mean: fill them with the mean of the column; auto: also add an "
       "indicator feature where there are many; error: refuse them. Default: auto."},
      {"strict", &TableFlags::strict, "[BOOL]", "Make every guess about the data an error."},
      {"categorical", &TableFlags::categorical, "[COLUMNS]",
       "Columns to read as categories even if they hold numbers. Text columns are detected anyway "
       "(auto). Without a value: allow 1000 categories per column instead of 50."},
      {"date", &TableFlags::date, "COLUMNS",
       "Columns that hold dates; day:dmy or day:mdy sets the order in column day."},
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
      ValueOf<std::optional<bool>>(header, {{"", {}}, {"auto", {}}, {"yes", true}, {"no", false}},
                                   "--header: must be yes, no or auto; got '{}'");
  options->separator = Separator(separator);
  options->decimal = ValueOf<char>(decimal, {{"", 0}, {"auto", 0}, {".", '.'}, {",", ','}},
                                   "--decimal: must be '.', ',' or auto; got '{}'");
  options->missing = ValueOf<M>(
      missing, {{"", M::kAuto}, {"auto", M::kAuto}, {"mean", M::kMean}, {"error", M::kError}},
      "--missing: must be auto, mean or error; got '{}'");
  options->strict =
      ValueOf<bool>(strict, {{"", false}, {"false", false}, {"true", true}},
                    "--strict: must be true or false; got '{}' (without a value it means true)");
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
  args.Option("labels", &read.labels_path, "FILE",
              "File with the targets, if they are not a column of DATA.");
  args.Option("target", &read.target, "COLUMNS",
              "Target column by name or 0-based index. Default: as in training.");
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
  std::vector<Words> rows = {{"column", "kind", "blanks", "unique", "use"}};
  if (brief) rows[0].erase(rows[0].begin() + 3);
  const auto targets = static_cast<size_t>(std::ranges::count_if(report.columns, IsTarget));
  size_t room[] = {kMaxColumns - std::min(targets, kMaxColumns / 2), kMaxColumns / 2};
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

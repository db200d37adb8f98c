#include "cli/table_options.h"

#include <algorithm>

#include "cli/summary.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMostColumns = 30;  // that are shown

char Separator(const std::string& text) {
  if (text.empty() || text == "auto") return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "blank" || text == "blanks" || text == "space") return ' ';
  if (text.size() == 1 && std::string(",;|\t ").find(text) != std::string::npos) return text[0];
  Fail("--separator: '{}' given; it is one of , ; | tab blanks auto", text);
}

char Decimal(const std::string& text) {
  if (text.empty() || text == "auto") return 0;
  if (text == "." || text == ",") return text[0];
  Fail("--decimal: '{}' given; it is . or ,", text);
}

std::optional<bool> Header(const std::string& text) {
  if (text.empty() || text == "auto") return std::nullopt;
  if (text == "yes" || text == "no") return text == "yes";
  Fail("--header: '{}' given; it is yes, no or auto", text);
}

ReadOptions::Missing Missing(const std::string& text) {
  if (text.empty() || text == "auto") return ReadOptions::Missing::kAuto;
  if (text == "mean") return ReadOptions::Missing::kMean;
  if (text == "error") return ReadOptions::Missing::kError;
  Fail("--missing: '{}' is not known; it is auto, mean or error", text);
}

bool Strict(const std::string& text) {
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  Fail("--strict: '{}' given, true or false wanted; alone it means true", text);
}

Words List(const std::string& text) { return text.empty() ? Words{} : Split(text, ','); }

// A column of numbers that never change tells nothing, but is no reason to look closer.
bool IsNumeric(const ColumnReport& c) {
  return c.kind == "number" || (c.kind == "constant" && c.used);
}

bool IsPlain(const TableReport& report) {
  return std::all_of(report.columns.begin(), report.columns.end(), [](const ColumnReport& c) {
    return c.kind == "target" || c.kind == "weight" || (IsNumeric(c) && c.blanks == 0);
  });
}

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

const std::vector<TableFlags::Option>& TableFlags::Options() {
  static const std::vector<Option> options = {
      {"header", &TableFlags::header, "yes|no|auto",
       "Whether the first line of a text file names the columns. Default: auto.", true},
      {"separator", &TableFlags::separator, "CHAR",
       "What stands between fields: , ; | tab or blanks. Default: auto.", true},
      {"decimal", &TableFlags::decimal, "CHAR", "The decimal sign: . or , Default: auto.", true},
      {"id", &TableFlags::id, "COLUMN",
       "A column that names the rows: no feature, and written beside predictions.", true},
      {"ignore", &TableFlags::ignore, "COLUMNS", "Columns to leave out, by name or index.", true},
      {"missing", &TableFlags::missing, "auto|mean|error",
       "Blanks and NaN: filled by the mean of their column, where they are many with one more "
       "feature that tells (auto); filled only (mean); refused (error). Default: auto.",
       true},
      {"categorical", &TableFlags::categorical, "[COLUMNS]",
       "Columns that hold categories, even if these are numbers. Text columns are found without it "
       "(auto). Without a value: up to 1000 categories a column instead of 50.",
       false},
      {"date", &TableFlags::date, "COLUMNS",
       "Columns that hold dates; day:dmy or day:mdy says in which order.", false},
      {"strict", &TableFlags::strict, "", "An error instead of every guess.", true},
  };
  return options;
}

void TableFlags::DeclareReading(Args& args) {
  for (const Option& option : Options()) {
    if (!option.of_new_rows) continue;
    if (option.value == &TableFlags::strict) {
      args.Switch(option.name, &strict, option.doc);
    } else {
      args.Option(option.name, &(this->*option.value), option.label, option.doc);
    }
  }
}

void TableFlags::Declare(Args& args) {
  DeclareReading(args);
  for (const Option& option : Options()) {
    if (option.of_new_rows) continue;
    if (option.value == &TableFlags::categorical) {
      args.Switch(option.name, &categorical, option.doc, option.label);
    } else {
      args.Option(option.name, &(this->*option.value), option.label, option.doc);
    }
  }
}

void TableFlags::Check() const {
  ReadOptions ignored;
  Set(&ignored);
}

void TableFlags::Set(ReadOptions* options) const {
  options->header = Header(header);
  options->separator = Separator(separator);
  options->decimal = Decimal(decimal);
  options->missing = Missing(missing);
  options->strict = Strict(strict);
  options->drop_unlabelled = true;
  options->id = id;
  if (!ignore.empty()) options->ignore = {ignore};  // a name may hold a comma
  options->dates = List(date);
  options->categorical = categorical == "true";
  const bool named = !categorical.empty() && categorical != "true" && categorical != "auto" &&
                     categorical != "false";
  if (named) options->categories = List(categorical);
}

std::string ColumnsTable(const TableReport& report, bool brief, bool all) {
  if (brief && IsPlain(report)) return Brief(report);
  std::vector<Words> rows = {{"column", "is", "blanks", "distinct", "use"}};
  if (brief) rows[0].erase(rows[0].begin() + 3);
  for (const ColumnReport& c : report.columns) {
    if (!all && rows.size() > kMostColumns) break;
    const std::string distinct = c.distinct > 0 ? Grouped(c.distinct) : "-";
    rows.push_back({Printable(c.name), c.kind, Grouped(c.blanks), distinct, c.use});
    if (brief) rows.back().erase(rows.back().begin() + 3);
  }
  const size_t more = report.columns.size() - (rows.size() - 1);
  return Table(rows) + (more > 0 ? fmt::format("and {} more columns{}\n", Grouped(more),
                                               brief ? "" : " (--all lists them)")
                                 : "");
}

Words Headlines(const TableReport& report, const Dataset& data, bool task_was_chosen) {
  Words lines = Split(ColumnsTable(report, true), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  lines.push_back(DataSummary(data, task_was_chosen));
  return lines;
}

}  // namespace gopnet::cli

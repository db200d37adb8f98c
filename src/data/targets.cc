#include "data/targets.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"

namespace gopnet {
namespace {

using Kind = ColumnValues::Kind;
constexpr size_t kMostClasses = 500;     // whole numbers with more distinct values are quantities
constexpr size_t kMostLabels = 1 << 16;  // more are names or identifiers
constexpr size_t kManyClasses = 20;      // whole numbers with more may well be quantities

// The fields of a column, parsed as numbers where possible, including decimal commas, thousands
// separators and signs.
struct Fields {
  std::vector<int64_t> integers;  // all fields, if all are integers; else empty
  std::vector<double> numbers;    // the fields that are numbers
  std::vector<size_t> missing;    // rows of blanks and errors of spreadsheets ...
  std::vector<size_t> words;      // ... of words such as n.a., which are blanks among numbers ...
  std::vector<size_t> texts;      // ... and of other texts
  Currencies currencies;

  explicit Fields(const SourceColumn& column) {
    const NumberStyle style = column.table.Style(column.column);
    const Texts& text = column.values.text;
    for (size_t i = 0; i < text.size(); ++i) Add(text[i], i, style);
    if (integers.size() < text.size()) integers.clear();
  }

 private:
  void Add(std::string_view field, size_t row, NumberStyle style) {
    int64_t integer;
    double value;
    if (ParseNumber(TrimSpaces(field), &integer)) {
      integers.push_back(integer);
      numbers.push_back(static_cast<double>(integer));
      return;
    }
    const FieldKind kind = ParseNumberField(field, style, &value);
    if (kind == FieldKind::kText) {
      texts.push_back(row);
    } else if (kind == FieldKind::kMissing) {
      (IsNoTarget(field) ? missing : words).push_back(row);
    } else {
      numbers.push_back(value);
      currencies.Add(CurrencyOf(field));
    }
  }
};

[[noreturn]] void FailMissing(const SourceColumn& column, const char* what,
                              const std::vector<size_t>& rows, const char* remedy = "") {
  const size_t count = rows.size();
  const bool word = column.values.kind == Kind::kFields && !column.values.text[rows[0]].empty();
  Fail(column.Place(rows[0]), ": the ", what, " is missing (",
       word ? Join("'", Shown(column.values.text[rows[0]]), "'") : "blank or NaN", ")",
       count > 1 ? Join(", as in ", count - 1, count > 2 ? " other rows" : " other row") : "",
       remedy);
}

bool IsWhole(double number) { return std::trunc(number) == number && std::fabs(number) < 9.2e18; }

// Whole numbers with few distinct values: a fifth of the rows at most, or two that stand for no and
// yes.
template <class T>
bool LookLikeClasses(const std::vector<T>& numbers) {
  const size_t most = std::min(kMostClasses, numbers.size() / 5);
  std::set<T> distinct;
  for (const T number : numbers) {
    if (!IsWhole(static_cast<double>(number))) return false;
    distinct.insert(number);
    if (distinct.size() > std::max<size_t>(most, 2)) return false;
  }
  const std::set<T> pairs[] = {{0, 1}, {-1, 1}, {1, 2}};
  return distinct.size() <= most || std::ranges::count(pairs, distinct) > 0;
}

// Converts fields to integers, numbers or text, whichever can hold them all. Returns the missing
// rows; the caller removes them and calls again. `what` is "target" or "weight". `labels`: words
// among numbers are labels; otherwise a word among quantities is an error.
std::vector<size_t> FindKindOfFields(const char* what, bool labels, TableNotes& notes,
                                     SourceColumn* column) {
  Fields fields(*column);
  ColumnValues& values = column->values;
  if (fields.numbers.size() < values.text.size()) {
    const std::vector<size_t>& texts = fields.texts;
    const bool quantities =
        !labels && fields.numbers.size() > texts.size() && !LookLikeClasses(fields.numbers);
    const bool no_text = texts.empty() && !fields.numbers.empty();
    if (quantities || no_text)
      fields.missing.insert(fields.missing.end(), fields.words.begin(), fields.words.end());
    std::ranges::sort(fields.missing);
    if (!fields.missing.empty()) return std::move(fields.missing);
    if (quantities)
      Fail(column->Place(texts[0]), ": expected a number as in most rows, found '",
           Shown(values.text[texts[0]]), "'",
           what == std::string_view("target")
               ? " (use --task classification to treat all targets as classes)"
               : "");
    values.kind = Kind::kText;
    return {};
  }
  notes.AddCurrencies(column->table.ColumnName(column->column), fields.currencies);
  values.kind = fields.integers.empty() ? Kind::kNumbers : Kind::kIntegers;
  values.integers = std::move(fields.integers);
  if (values.kind == Kind::kNumbers) values.numbers = std::move(fields.numbers);
  return {};
}

// The same for a column of any kind. Throws Error for infinite values.
std::vector<size_t> FindKind(const char* what, bool labels, TableNotes& notes,
                             SourceColumn* column) {
  ColumnValues& values = column->values;
  std::vector<size_t> missing;
  if (values.kind == Kind::kFields) missing = FindKindOfFields(what, labels, notes, column);
  for (size_t i = 0; i < values.numbers.size(); ++i) {
    if (std::isnan(values.numbers[i])) missing.push_back(i);
    if (std::isinf(values.numbers[i]))
      Fail(column->Place(i), ": the ", what, " is infinite; it must be finite");
  }
  for (size_t i = 0; values.kind == Kind::kText && i < values.text.size(); ++i) {
    if (IsNoTarget(values.text[i])) missing.push_back(i);
  }
  return missing;
}

// Keeps only the values of some rows.
void KeepRows(const std::vector<size_t>& stay, SourceColumn* column) {
  ColumnValues kept{column->values.kind, {}, {}, {}};
  std::vector<size_t> rows;
  for (const size_t i : stay) {
    if (!column->values.text.empty()) kept.text.Add(column->values.text[i]);
    if (!column->values.integers.empty()) kept.integers.push_back(column->values.integers[i]);
    if (!column->values.numbers.empty()) kept.numbers.push_back(column->values.numbers[i]);
    rows.push_back(column->rows.empty() ? i : column->rows[i]);
  }
  column->values = std::move(kept);
  column->rows = std::move(rows);
}

// Finds the kinds of the columns, and leaves out rows without a target where that is allowed.
void FindKinds(const ReadOptions& options, TableNotes& notes, std::vector<SourceColumn>* columns) {
  const size_t all = (*columns)[0].size();
  const bool may_leave_out =
      options.drop_unlabelled && !options.strict && options.missing != ReadOptions::Missing::kError;
  std::set<size_t> left_out;
  for (;;) {  // blank words among numbers are found only once other blanks are gone
    std::set<size_t> missing;
    for (SourceColumn& column : *columns) {
      const bool labels = options.task == Task::kClassification;
      const std::vector<size_t> rows = FindKind("target", labels, notes, &column);
      if (rows.empty()) continue;
      missing.insert(rows.begin(), rows.end());
      if (!may_leave_out) FailMissing(column, "target", rows);
      if (2 * (left_out.size() + missing.size()) > all)
        FailMissing(column, "target", rows,
                    "; gopnet leaves out such rows only if they are at most half of all rows");
    }
    if (missing.empty()) break;
    std::vector<size_t> stay;
    for (size_t i = 0; i < (*columns)[0].size(); ++i) {
      if (!missing.contains(i)) stay.push_back(i);
    }
    for (const size_t i : missing) {
      const auto& numbers = (*columns)[0].rows;
      left_out.insert(numbers.empty() ? i : numbers[i]);
    }
    for (SourceColumn& column : *columns) KeepRows(stay, &column);
  }
  if (left_out.empty()) return;
  const Table& table = (*columns)[0].table;  // perhaps a file of labels
  std::string places = table.source == notes.source() ? "" : table.source + ": ";
  size_t shown = 0;
  for (const size_t row : left_out) {
    if (++shown > 3) break;
    places += Join(shown > 1 ? ", " : "", table.Where(row));
  }
  const bool one = left_out.size() == 1;
  notes.Warn(Join(left_out.size(), one ? " row has" : " rows have", " no target (", places,
                  shown > 3 ? ", ..." : "", ") and ", one ? "is" : "are", " left out"));
}

template <class T, class Labels>
std::vector<T> Distinct(const Labels& labels) {
  std::set<T> distinct;
  for (size_t i = 0; i < labels.size(); ++i) distinct.insert(labels[i]);
  return {distinct.begin(), distinct.end()};
}

// Labels as their places among the classes, which are sorted.
template <class Labels, class T>
void SetIndices(const Labels& labels, const std::vector<T>& classes, Dataset* data) {
  data->task = Task::kClassification;
  data->labels.resize(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::ranges::lower_bound(classes, labels[i]);
    data->labels[i] = static_cast<int32_t>(found - classes.begin());
  }
}

template <class Labels>
void SetTextLabels(const Labels& labels, Dataset* data) {
  const auto classes = Distinct<std::string_view>(labels);
  data->classes.assign(classes.begin(), classes.end());
  SetIndices(labels, classes, data);
}

// Labels that numbers cannot represent: 00, 01, 007, 5 kg. 1,0 is 1, like 1.0.
bool AreMoreThanNumbers(const SourceColumn& column) {
  const ColumnValues& values = column.values;
  const bool comma = column.table.decimal == ",";
  for (size_t i = 0; i < values.text.size(); ++i) {
    const std::string_view field = TrimSpaces(values.text[i]);
    if (field.size() > 1 && field[0] == '0' && field[1] >= '0' && field[1] <= '9') return true;
    if (values.kind == Kind::kIntegers || (comma && HasDecimal(field, ','))) continue;
    if (KindOf(field) == FieldKind::kText) return true;
  }
  return false;
}

void SetClasses(SourceColumn column, Dataset* data) {
  ColumnValues& values = column.values;
  if (values.kind == Kind::kText || AreMoreThanNumbers(column))
    return SetTextLabels(values.text, data);
  values.integers.reserve(values.numbers.size());
  for (size_t i = 0; i < values.numbers.size(); ++i) {
    if (!IsWhole(values.numbers[i])) {
      Fail(column.Place(i), ": expected a class (text or an integer), found ", values.numbers[i],
           " (use --task regression to predict numbers)");
    }
    values.integers.push_back(static_cast<int64_t>(values.numbers[i]));
  }
  SetLabels(values.integers, data);
}

// The first field that keeps the column from being numbers.
[[noreturn]] void FailOnText(const SourceColumn& column) {
  const Fields fields(column);
  const size_t row = fields.texts.empty() ? fields.words[0] : fields.texts[0];
  Fail(column.Place(row), ": expected a number, found '", Shown(column.values.text[row]), "'");
}

std::vector<float> Numbers(const SourceColumn& column, double offset = 0) {
  const ColumnValues& values = column.values;
  if (values.kind == Kind::kText) FailOnText(column);
  std::vector<float> numbers(column.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = values.kind == Kind::kNumbers ? static_cast<float>(values.numbers[i] - offset)
                 : offset != 0
                     ? static_cast<float>(static_cast<double>(values.integers[i]) - offset)
                     : static_cast<float>(values.integers[i]);
    if (std::isinf(numbers[i]))
      Fail(column.Place(i), ": ", values.numbers[i], " is too large for float32");
  }
  return numbers;
}

// The offset to subtract before rounding to float32; 0 unless the values are far from 0.
double OffsetOf(const ColumnValues& values) {
  Range range;
  for (const double number : values.numbers) range.Add(number);
  for (const int64_t number : values.integers) range.Add(static_cast<double>(number));
  return range.low < range.high && range.IsFar() ? range.low : 0;
}

void SetValues(const std::vector<SourceColumn>& columns, Dataset* data) {
  data->task = Task::kRegression;
  data->targets = Matrix(columns[0].size(), columns.size());
  for (size_t q = 0; q < columns.size(); ++q) {
    const double offset = OffsetOf(columns[q].values);
    const std::vector<float> numbers = Numbers(columns[q], offset);
    for (size_t i = 0; i < numbers.size(); ++i) data->targets(i, q) = numbers[i];
    if (offset == 0) continue;
    data->target_offset.resize(columns.size());
    data->target_offset[q] = offset;
  }
}

// Lets an array of text be parsed as numbers, with decimal points.
void TakeTextForFields(SourceColumn* column) {
  if (column->values.kind == Kind::kText) column->values.kind = Kind::kFields;
}

// Whether all texts are numbers with too many unique values for classes.
bool AreQuantities(const SourceColumn& column) {
  if (column.values.kind != Kind::kText) return false;
  const Fields fields(column);
  const size_t rows = column.values.text.size();
  return fields.numbers.size() == rows && !LookLikeClasses(fields.numbers) &&
         Distinct<std::string_view>(column.values.text).size() > std::max<size_t>(2, rows / 5);
}

bool AreClasses(const SourceColumn& column, bool typed) {
  const ColumnValues& values = column.values;
  if (values.kind == Kind::kText || (typed && values.kind == Kind::kIntegers)) return true;
  return values.kind == Kind::kNumbers ? LookLikeClasses(values.numbers)
                                       : LookLikeClasses(values.integers);
}

}  // namespace

void SetLabels(const std::vector<int64_t>& labels, Dataset* data) {
  const auto classes = Distinct<int64_t>(labels);
  data->integer_classes = true;
  for (const int64_t label : classes) data->classes.push_back(std::to_string(label));
  SetIndices(labels, classes, data);
}

void SetLabels(const std::vector<std::string>& labels, Dataset* data) {
  SetTextLabels(labels, data);
}

size_t SourceColumn::size() const {
  return values.kind == Kind::kIntegers  ? values.integers.size()
         : values.kind == Kind::kNumbers ? values.numbers.size()
                                         : values.text.size();
}

std::string SourceColumn::Place(size_t row) const {
  return Join(table.source, ": ", table.Where(rows.empty() ? row : rows[row]), ", ",
              table.ColumnName(column));
}

void SetTargets(std::vector<SourceColumn> columns, const ReadOptions& options, TableNotes& notes,
                Dataset* data) {
  std::optional<Task> task = options.task;
  const bool typed = columns[0].values.kind != Kind::kFields;  // arrays keep their type
  if (task == Task::kRegression || columns.size() > 1 || (!task && AreQuantities(columns[0])))
    for (SourceColumn& column : columns) TakeTextForFields(&column);
  FindKinds(options, notes, &columns);
  data->row_numbers = columns[0].rows;
  if (columns.size() > 1) {
    Check(task != Task::kClassification, columns[0].table.source, ": ", columns.size(),
          " target columns, but classification takes one");
    task = Task::kRegression;
  }
  const bool classes = task ? *task == Task::kClassification : AreClasses(columns[0], typed);
  if (classes) {
    const Table& table = columns[0].table;
    const std::string name = table.ColumnName(columns[0].column);
    SetClasses(std::move(columns[0]), data);
    Check(data->classes.size() <= kMostLabels, table.source, ": the target has ",
          data->classes.size(), " different labels; at most ", kMostLabels, " are allowed");
    if (!task && !options.like && !typed && data->integer_classes &&
        data->classes.size() > kManyClasses)
      notes.GuessAndWarn(Join("the target, ", name, ", has ", data->classes.size(),
                              " different integers and is treated as classes"),
                         "use --task regression or --task classification to choose");
  } else {
    SetValues(columns, data);
  }
}

void SetWeights(SourceColumn column, TableNotes& notes, Dataset* data) {
  TakeTextForFields(&column);
  const std::vector<size_t> missing = FindKind("weight", false, notes, &column);
  if (!missing.empty()) FailMissing(column, "weight", missing);
  data->weights = Numbers(column);
  for (size_t i = 0; i < data->weights.size(); ++i) {
    if (data->weights[i] < 0) {
      Fail(column.Place(i), ": the weight must be 0 or more; got ", data->weights[i]);
    }
  }
  const bool some = std::ranges::any_of(data->weights, [](float w) { return w > 0; });
  Check(some, column.table.source, ": ", column.table.ColumnName(column.column),
        ": all weights are 0; at least one must be positive");
}

}  // namespace gopnet

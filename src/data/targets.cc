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

bool ReadInteger(std::string_view field, int64_t* value) {
  return ParseNumber(TrimSpaces(field), value);
}

bool ReadNumber(std::string_view field, double* value) {  // infinite ones included
  const FieldKind kind = ParseField(field, value);
  return kind != FieldKind::kText && kind != FieldKind::kMissing;
}

// Whether `read` takes all of the fields; if not, `values` stay empty.
template <class T>
bool ReadAll(const Texts& fields, bool (*read)(std::string_view, T*), std::vector<T>* values) {
  std::vector<T> all(fields.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (!read(fields[i], &all[i])) return false;
  }
  *values = std::move(all);
  return true;
}

// Fields as people write numbers: decimal commas, thousands separators and signs, among other text.
struct StyledFields {
  std::vector<double> numbers;        // those that are
  std::vector<size_t> blanks, texts;  // rows of those that are none: n.a. and alike, other words

  explicit StyledFields(const SourceColumn& column) {
    const Table& table = column.table;
    const bool known = column.column < table.hints.size();
    const NumberStyle style = known ? table.Style(column.column) : NumberStyle{};
    for (size_t i = 0; i < column.values.text.size(); ++i) {
      double value;
      const FieldKind kind = ParseNumberField(column.values.text[i], style, &value);
      if (kind == FieldKind::kMissing) {
        blanks.push_back(i);
      } else if (kind == FieldKind::kText) {
        texts.push_back(i);
      } else {
        numbers.push_back(value);
      }
    }
  }
};

bool IsMissing(const ColumnValues& values, size_t row) {
  if (values.kind == Kind::kIntegers) return false;
  if (values.kind == Kind::kNumbers) return std::isnan(values.numbers[row]);
  return KindOf(values.text[row]) == FieldKind::kMissing;
}

[[noreturn]] void FailMissing(const SourceColumn& column, const char* what,
                              const std::vector<size_t>& rows, const char* remedy = "") {
  const size_t count = rows.size();
  const bool word = column.values.kind == Kind::kFields && !column.values.text[rows[0]].empty();
  Fail(column.Place(rows[0]), ": the ", what, " is missing (",
       word ? Join("'", Shown(column.values.text[rows[0]]), "'") : "blank or NaN", ")",
       count > 1 ? Join(", as in ", count - 1, count > 2 ? " other rows" : " other row") : "",
       remedy);
}

std::vector<size_t> MissingRows(const SourceColumn& column) {
  std::vector<size_t> rows;
  for (size_t i = 0; i < column.size(); ++i) {
    if (IsMissing(column.values, i)) rows.push_back(i);
  }
  return rows;
}

bool IsWhole(double number) { return std::trunc(number) == number && std::fabs(number) < 9.2e18; }

// Whole numbers with few distinct values: a fifth of the rows at most.
template <class T>
bool LookLikeClasses(const std::vector<T>& numbers) {
  const size_t most = std::min(kMostClasses, numbers.size() / 5);
  std::set<T> distinct;
  for (const T number : numbers) {
    if (!IsWhole(static_cast<double>(number))) return false;
    distinct.insert(number);
    if (distinct.size() > most) return false;
  }
  return true;
}

// Fields that are not all plain numbers. A word among quantities does not make classes of them.
std::vector<size_t> FindStyledKind(SourceColumn* column, const char* what, bool labels) {
  StyledFields fields(*column);
  const std::vector<size_t>& texts = fields.texts;
  const bool quantities =
      !labels && fields.numbers.size() > texts.size() && !LookLikeClasses(fields.numbers);
  const bool no_text = texts.empty() && !fields.numbers.empty();
  if (quantities || no_text) {
    if (!fields.blanks.empty()) return std::move(fields.blanks);
  }
  if (!texts.empty() && quantities)
    Fail(column->Place(texts[0]), ": '", Shown(column->values.text[texts[0]]),
         "' is not a number, as most of the ", what, "s are",
         what == std::string_view("target") ? "; --task classification takes all as classes" : "");
  const bool numbers = texts.empty() && fields.blanks.empty();
  if (numbers) column->values.numbers = std::move(fields.numbers);
  column->values.kind = numbers ? Kind::kNumbers : Kind::kText;
  return {};
}

// Fields become integers, numbers or text, whichever holds them all. Returns the rows that are
// missing; without these it is to be called again. Throws Error for infinite values; `what` is
// "target" or "weight". `labels`: words among numbers are labels, too.
std::vector<size_t> FindKind(SourceColumn* column, const char* what, bool labels = false) {
  if (auto missing = MissingRows(*column); !missing.empty()) return missing;
  ColumnValues& values = column->values;
  if (values.kind == Kind::kFields) {
    const bool point = column->table.decimal != ",";
    if (ReadAll(values.text, ReadInteger, &values.integers)) {
      values.kind = Kind::kIntegers;
    } else if (point && ReadAll(values.text, ReadNumber, &values.numbers)) {
      values.kind = Kind::kNumbers;
    } else {
      if (auto missing = FindStyledKind(column, what, labels); !missing.empty()) return missing;
    }
  }
  for (size_t i = 0; i < values.numbers.size(); ++i) {
    if (!std::isfinite(values.numbers[i]))
      Fail(column->Place(i), ": the ", what, " is infinite, a finite one is wanted");
  }
  return {};
}

// Of the values, those of the rows that stay.
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

// What the columns are, without the rows of which a target is missing, if these may be left out.
void FindKinds(const ReadOptions& options, TableNotes& notes, std::vector<SourceColumn>* columns) {
  const size_t all = (*columns)[0].size();
  const bool may_leave_out =
      options.drop_unlabelled && !options.strict && options.missing != ReadOptions::Missing::kError;
  std::set<size_t> left_out;
  for (;;) {  // what is missing among numbers shows when nothing else is
    std::set<size_t> missing;
    for (SourceColumn& column : *columns) {
      const auto rows = FindKind(&column, "target", options.task == Task::kClassification);
      if (rows.empty()) continue;
      missing.insert(rows.begin(), rows.end());
      if (!may_leave_out) FailMissing(column, "target", rows);
      if (2 * (left_out.size() + missing.size()) > all)
        FailMissing(column, "target", rows,
                    "; such rows are left out only where they are at most half of all");
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

// 00, 01, 007, 5 kg: labels that would lose something as numbers. 1,0 is 1, as 1.0 is.
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
      Fail(column.Place(i), ": ", values.numbers[i],
           " is not a class, text or a whole number is wanted (or --task regression)");
    }
    values.integers.push_back(static_cast<int64_t>(values.numbers[i]));
  }
  SetLabels(values.integers, data);
}

// The first field that keeps the column from being numbers.
[[noreturn]] void FailOnText(const SourceColumn& column) {
  const StyledFields fields(column);
  const size_t row = fields.texts.empty() ? fields.blanks[0] : fields.texts[0];
  Fail(column.Place(row), ": '", Shown(column.values.text[row]), "' is not a number");
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

// What is best subtracted before rounding to float32; 0 unless the values are far from 0.
double OffsetOf(const ColumnValues& values) {
  const auto offset = [](const auto& numbers) {
    if (numbers.empty()) return 0.0;
    const auto [low, high] = std::ranges::minmax(numbers);
    const auto least = static_cast<double>(low), most = static_cast<double>(high);
    return least < most && IsFar(least, most) ? least : 0.0;
  };
  return values.kind == Kind::kNumbers    ? offset(values.numbers)
         : values.kind == Kind::kIntegers ? offset(values.integers)
                                          : 0.0;
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
  const bool typed = columns[0].values.kind != Kind::kFields;  // who wrote an array chose its type
  FindKinds(options, notes, &columns);
  data->row_numbers = columns[0].rows;
  if (columns.size() > 1) {
    Check(task != Task::kClassification, columns[0].table.source, ": ", columns.size(),
          " target columns, classification wants one");
    task = Task::kRegression;
  }
  const bool classes = task ? *task == Task::kClassification : AreClasses(columns[0], typed);
  if (classes) {
    const Table& table = columns[0].table;
    const std::string name = table.ColumnName(columns[0].column);
    SetClasses(std::move(columns[0]), data);
    Check(data->classes.size() <= kMostLabels, table.source, ": the target has ",
          data->classes.size(), " different labels, at most ", kMostLabels, " are wanted");
    if (!task && !options.like && !typed && data->integer_classes &&
        data->classes.size() > kManyClasses)
      notes.GuessAndWarn(Join("the target, ", name, ", has ", data->classes.size(),
                              " different whole numbers, which are taken for classes"),
                         "--task regression (or classification)");
  } else {
    SetValues(columns, data);
  }
}

void SetWeights(SourceColumn column, Dataset* data) {
  if (const auto missing = FindKind(&column, "weight"); !missing.empty())
    FailMissing(column, "weight", missing);
  data->weights = Numbers(column);
  for (size_t i = 0; i < data->weights.size(); ++i) {
    if (data->weights[i] < 0) {
      Fail(column.Place(i), ": weight ", data->weights[i], " is negative, 0 or more is wanted");
    }
  }
  const bool some = std::ranges::any_of(data->weights, [](float w) { return w > 0; });
  Check(some, column.table.source, ": ", column.table.ColumnName(column.column),
        ": all weights are 0, a positive one is wanted");
}

}  // namespace gopnet

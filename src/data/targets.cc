#include "data/targets.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.h"
#include "data/field.h"
#include "data/labels.h"

namespace gopnet {
namespace {

using Kind = Values::Kind;
constexpr size_t kMostClasses = 500;  // whole numbers with more distinct values are quantities

constexpr size_t kMostLabels = 1 << 16;  // more are names or identifiers

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

void SetClasses(SourceColumn column, Dataset* data) {
  Values& values = column.values;
  if (values.kind == Kind::kText) return SetLabels(values.text, data);
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
  double ignored;
  size_t row = 0;
  while (row + 1 < column.size() &&
         ParseField(column.values.text[row], &ignored) == FieldKind::kNumber) {
    ++row;
  }
  Fail(column.Place(row), ": '", Shown(column.values.text[row]), "' is not a number");
}

std::vector<float> Numbers(const SourceColumn& column) {
  const Values& values = column.values;
  if (values.kind == Kind::kText) FailOnText(column);
  if (values.kind == Kind::kIntegers) return {values.integers.begin(), values.integers.end()};
  std::vector<float> numbers(values.numbers.begin(), values.numbers.end());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (std::isinf(numbers[i]))
      Fail(column.Place(i), ": ", values.numbers[i], " is too large for float32");
  }
  return numbers;
}

void SetValues(const std::vector<SourceColumn>& columns, Dataset* data) {
  data->task = Task::kRegression;
  data->targets = Matrix(columns[0].size(), columns.size());
  for (size_t q = 0; q < columns.size(); ++q) {
    const std::vector<float> numbers = Numbers(columns[q]);
    for (size_t i = 0; i < numbers.size(); ++i) data->targets(i, q) = numbers[i];
  }
}

bool AreClasses(const SourceColumn& column, bool typed) {
  const Values& values = column.values;
  if (values.kind == Kind::kText || (typed && values.kind == Kind::kIntegers)) return true;
  return values.kind == Kind::kNumbers ? LookLikeClasses(values.numbers)
                                       : LookLikeClasses(values.integers);
}

}  // namespace

void SetTargets(std::vector<SourceColumn> columns, std::optional<Task> task, Dataset* data) {
  const bool typed =
      columns[0].values.kind != Kind::kFields;  // an array's type is its owner's word
  for (SourceColumn& column : columns) Settle(&column, "target");
  if (columns.size() > 1) {
    Check(task != Task::kClassification, columns[0].table.source, ": ", columns.size(),
          " target columns, classification wants one");
    task = Task::kRegression;
  }
  const bool classes = task ? *task == Task::kClassification : AreClasses(columns[0], typed);
  if (classes) {
    const std::string& source = columns[0].table.source;
    SetClasses(std::move(columns[0]), data);
    Check(data->classes.size() <= kMostLabels, source, ": the target has ", data->classes.size(),
          " different labels, at most ", kMostLabels, " are wanted");
  } else {
    SetValues(columns, data);
  }
}

void SetWeights(SourceColumn column, Dataset* data) {
  Settle(&column, "weight");
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

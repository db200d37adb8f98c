// What kind of values a column holds.
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "data/field.h"
#include "data/targets.h"

namespace gopnet {
namespace {

using Kind = Values::Kind;

bool ParseInteger(std::string_view field, int64_t* value) {
  field = TrimSpaces(field);
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, *value);
  return error == std::errc() && stop == end;
}

// Turns text into integers if all of it is integers.
void ReadIntegers(Values* values) {
  std::vector<int64_t> integers(values->text.size());
  for (size_t i = 0; i < integers.size(); ++i) {
    if (!ParseInteger(values->text[i], &integers[i])) return;
  }
  values->kind = Kind::kIntegers;
  values->integers = std::move(integers);
}

// Turns text into numbers if all of it is numbers, infinite ones included.
void ReadNumbers(Values* values) {
  std::vector<double> numbers(values->text.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const FieldKind kind = ParseField(values->text[i], &numbers[i]);
    if (kind == FieldKind::kText || kind == FieldKind::kMissing) return;
  }
  values->kind = Kind::kNumbers;
  values->numbers = std::move(numbers);
}

bool IsMissing(const Values& values, size_t row) {
  double ignored;
  if (values.kind == Kind::kIntegers) return false;
  if (values.kind == Kind::kNumbers) return std::isnan(values.numbers[row]);
  return ParseField(values.text[row], &ignored) == FieldKind::kMissing;
}

void CheckMissing(const SourceColumn& column, const char* what) {
  size_t count = 0;
  size_t first = 0;
  for (size_t i = 0; i < column.size(); ++i) {
    if (IsMissing(column.values, i) && count++ == 0) first = i;
  }
  if (count == 0) return;
  Fail(column.Place(first), ": the ", what, " is missing (blank or NaN)",
       count > 1 ? Join(", as in ", count - 1, " other rows") : "");
}

}  // namespace

size_t SourceColumn::size() const {
  return values.kind == Kind::kIntegers  ? values.integers.size()
         : values.kind == Kind::kNumbers ? values.numbers.size()
                                         : values.text.size();
}

std::string SourceColumn::Place(size_t row) const {
  return Join(table.source, ": ", table.Where(row), ", ", table.ColumnName(column));
}

void Settle(SourceColumn* column, const char* what) {
  CheckMissing(*column, what);
  Values& values = column->values;
  if (values.kind == Kind::kFields) ReadIntegers(&values);
  if (values.kind == Kind::kFields) ReadNumbers(&values);
  if (values.kind == Kind::kFields) values.kind = Kind::kText;
  for (size_t i = 0; i < values.numbers.size(); ++i) {
    if (!std::isfinite(values.numbers[i]))
      Fail(column->Place(i), ": the ", what, " is infinite, a finite one is wanted");
  }
}

}  // namespace gopnet

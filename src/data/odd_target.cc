#include "data/odd_target.h"

#include <cstdint>
#include <vector>

#include "base/names.h"
#include "data/dates.h"
#include "data/field.h"
#include "data/row_names.h"
#include "data/text_columns.h"

namespace gopnet {
namespace {

std::string OddWholeNumbers(const Table& table, size_t column, const std::vector<int64_t>& numbers,
                            bool all_differ) {
  const std::string& name = table.names[column];
  bool up = numbers[0] == 0 || numbers[0] == 1;
  for (size_t i = 1; i < numbers.size() && up; ++i) up = numbers[i] == numbers[i - 1] + 1;
  if (up && IsIndexName(name)) return "counts the rows";
  if (all_differ && IsNamedAsIndex(table, column)) return "numbers the rows";
  const bool id = all_differ && IsIdName(name) && numbers.size() >= kRowsOfIds;
  return id ? "is a number of its own in every row" : "";
}

}  // namespace

std::string OddTarget(const Table& table, size_t column, const Texts& fields) {
  constexpr size_t kFew = 10;
  if (table.array || fields.size() < kFew) return "";
  Counts counts;
  std::vector<int64_t> numbers;
  size_t known = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (KindOf(fields[i]) == FieldKind::kMissing) continue;
    ++known;
    ++counts[fields[i]];
    if (int64_t number; ParseNumber(fields[i], &number)) numbers.push_back(number);
  }
  if (numbers.size() == fields.size())
    return OddWholeNumbers(table, column, numbers, counts.size() == known);
  if (!table.hints[column].text) return "";
  if (!OrdersOf(counts, false).empty()) return "holds dates";
  return AreIds(counts.size(), known) ? "is a text of its own in nearly every row" : "";
}

}  // namespace gopnet

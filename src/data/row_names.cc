#include "data/row_names.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "base/names.h"
#include "data/field.h"

namespace gopnet {
namespace {

// Names that pandas, R and people give to the index of a table, also of one that was shuffled.
bool IsRowName(const std::string& given) {
  static const std::unordered_set<std::string> kNames = {"index",   "idx",      "row",
                                                         "rowname", "rownames", "level_0"};
  const std::string name = Lowered(given);
  return kNames.count(name) > 0 || name.starts_with("unnamed: 0");
}

std::string OddWholeNumbers(const Table& table, size_t column, const std::vector<int64_t>& numbers,
                            bool all_differ) {
  const std::string& name = table.names[column];
  bool up = numbers[0] == 0 || numbers[0] == 1;
  for (size_t i = 1; i < numbers.size() && up; ++i) up = numbers[i] == numbers[i - 1] + 1;
  if (up && IsIndexName(name)) return "counts the rows";
  if (all_differ && IsNamedAsIndex(table, column)) return "numbers the rows";
  const bool id = all_differ && IsIdName(name) && numbers.size() >= kRowsOfIds;
  return id ? "has a different number in every row" : "";
}

}  // namespace

bool IsIdName(const std::string& given) {
  static const std::unordered_set<std::string> kNames = {"id",   "_id",    "uid",   "uuid",
                                                         "guid", "row_id", "rowid", "row id"};
  const std::string name = Lowered(given);
  if (kNames.count(name) > 0 || name.ends_with("_id") || name.ends_with(" id")) return true;
  const size_t size = given.size();
  const bool capital = given.ends_with("ID") || given.ends_with("Id");
  return capital && size > 2 && given[size - 3] >= 'a' && given[size - 3] <= 'z';
}

bool IsIndexName(const std::string& given) {
  static const std::unordered_set<std::string> kNames = {
      "index", "idx",  "row",    "rownumber", "rownum",   "rowno",
      "no",    "nr",   "number", "record",    "sample",   "case",
      "sno",   "srno", "slno",   "serial",    "serialno", "serialnumber"};
  const std::string name = Lowered(given);
  std::string letters = name;  // "S.No." and "row_number" without their signs
  std::erase_if(letters, [](char c) { return c == '.' || c == '_' || c == ' '; });
  return IsIdName(given) || kNames.count(letters) > 0 || name == "#" ||
         name.starts_with("unnamed: ");
}

bool IsNamedAsIndex(const Table& table, size_t column) {
  return (table.no_first_name && column == 0) || IsRowName(table.names[column]);
}

Counts CountTexts(const Texts& texts) {
  Counts counts;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (KindOf(texts[i]) != FieldKind::kMissing) ++counts[texts[i]];
  }
  return counts;
}

bool AreIds(const Counts& counts) {
  size_t known = 0;
  for (const auto& [text, count] : counts) known += count;
  return known >= kRowsOfIds &&
         static_cast<double>(counts.size()) > 0.95 * static_cast<double>(known);
}

std::string OddTarget(const Table& table, size_t column, const Texts& fields) {
  constexpr size_t kFew = 10;
  if (table.array || fields.size() < kFew) return "";
  const Counts counts = CountTexts(fields);
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (int64_t number; ParseNumber(fields[i], &number)) numbers.push_back(number);
  }
  if (numbers.size() == fields.size())
    return OddWholeNumbers(table, column, numbers, counts.size() == numbers.size());
  if (!table.hints[column].text) return "";
  if (!OrdersOf(counts, false).empty()) return "holds dates";
  return AreIds(counts) ? "has a different text in nearly every row" : "";
}

}  // namespace gopnet

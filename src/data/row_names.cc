#include "data/row_names.h"

#include <unordered_set>

#include "data/field.h"

namespace gopnet {
namespace {

// Names that pandas, R and people give to the index of a table, also of one that was shuffled.
bool IsRowName(const std::string& given) {
  static const std::unordered_set<std::string> kNames = {"index",   "idx",      "row",
                                                         "rowname", "rownames", "level_0"};
  const std::string name = LowerCase(given);
  return kNames.count(name) > 0 || name.starts_with("unnamed: 0");
}

}  // namespace

bool IsIdName(const std::string& given) {
  static const std::unordered_set<std::string> kNames = {"id",   "_id",    "uid",   "uuid",
                                                         "guid", "row_id", "rowid", "row id"};
  const std::string name = LowerCase(given);
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
  const std::string name = LowerCase(given);
  std::string letters = name;  // "S.No." and "row_number" without their signs
  std::erase_if(letters, [](char c) { return c == '.' || c == '_' || c == ' '; });
  return IsIdName(given) || kNames.count(letters) > 0 || name == "#" ||
         name.starts_with("unnamed: ");
}

bool IsNamedAsIndex(const Table& table, size_t column) {
  return (table.no_first_name && column == 0) || IsRowName(table.names[column]);
}

}  // namespace gopnet

#include "data/match_names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"

namespace gopnet {
namespace {

void CheckNone(const std::vector<std::string>& names, const Table& table, const char* verb,
               const char* why) {
  constexpr size_t kMost = 5;  // to show
  if (names.empty()) return;
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(kMost, names.size()); ++i) shown.push_back(Shown(names[i]));
  const std::string more = names.size() > kMost ? Join(" and ", names.size() - kMost, " more") : "";
  Fail(table.source, ": ", verb, names.size() == 1 ? " column '" : " columns '",
       JoinList(shown, "', '"), "'", more, why);
}

}  // namespace

std::vector<size_t> MatchNames(const Table& table, const Schema& like,
                               const std::vector<size_t>& rest) {
  std::unordered_map<std::string, size_t> column_of;
  for (size_t c = 0; c < table.names.size(); ++c) column_of[table.names[c]] = c;
  std::unordered_set<std::string> known(like.targets.begin(), like.targets.end());
  std::vector<size_t> features;
  std::vector<std::string> missing, extra;
  for (const Column& column : like.columns) {
    known.insert(column.name);
    const auto found = column_of.find(column.name);
    if (found == column_of.end()) {
      missing.push_back(column.name);
    } else {
      features.push_back(found->second);
    }
  }
  for (const size_t c : rest) {
    if (!known.count(table.names[c])) extra.push_back(table.names[c]);
  }
  CheckNone(missing, table, "lacks", ", which the data trained on has");
  CheckNone(extra, table, "has", " too many, which the data trained on has not");
  return features;
}

}  // namespace gopnet

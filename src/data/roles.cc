#include "data/roles.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/check.h"
#include "base/names.h"
#include "data/dates.h"
#include "data/field.h"

namespace gopnet {
namespace {

using Columns = std::vector<size_t>;
constexpr size_t kNone = static_cast<size_t>(-1);

bool Contains(const Columns& columns, size_t c) { return std::ranges::count(columns, c) > 0; }

// A column by name or, if there is none of that name, by its index from 0.
std::optional<size_t> Find(const Table& table, const std::string& name) {
  const auto found = std::ranges::find(table.names, name);
  if (table.named && found != table.names.end())
    return static_cast<size_t>(found - table.names.begin());
  size_t index;
  const bool is_index = ParseNumber(name, &index) && index < table.names.size();
  return is_index ? std::optional(index) : std::nullopt;
}

bool IsIndices(const std::string& target) {
  return target.find_first_not_of("0123456789, ") == std::string::npos;
}

std::string SomeNames(const Table& table) {
  constexpr size_t kMost = 8;
  std::vector<std::string> names;
  for (size_t c = 0; c < std::min(kMost, table.names.size()); ++c)
    names.push_back(Shown(table.names[c]));
  return JoinList(names, ", ") + (table.names.size() > kMost ? ", ..." : "");
}

std::string Suggested(const std::string& name, const Table& table) {
  std::vector<std::string> names;
  for (const std::string& known : table.names) names.push_back(Shown(known));
  return DidYouMean(name, names);
}

size_t MustFind(const Table& table, const std::string& name, const char* what) {
  if (const auto column = Find(table, name)) return *column;
  const size_t last = table.names.size() - 1;
  Check(table.named, table.source, ": no ", what, " column '", name,
        "'; the file has no header, so use an index from 0 to ", last);
  Fail(table.source, ": no ", what, " column '", name, "'", Suggested(name, table),
       "; use a name (", SomeNames(table), ") or an index from 0 to ", last);
}

// The places in a file without header of the columns of a schema without names, which are called
// x0, x1, ... by their places.
class Places {
 public:
  explicit Places(const Schema& like) {
    for (size_t k = 0; k < like.columns.size(); ++k) Add(like.columns[k].name, k);
    for (const LeftOut& column : like.left_out) Add(column.name, kNone);
  }

  bool all() const { return all_; }
  size_t size() const { return known_.size(); }

  // The first place that is none of a feature, so a target's.
  size_t Target() const {
    size_t place = 0;
    while (known_.contains(place)) ++place;
    return place;
  }

  // Picks the features from `rest`, in the order of the schema.
  Columns Features(const Columns& rest, size_t count) const {
    Columns columns(count);
    size_t i = 0;
    for (const auto& [place, column] : known_) {
      if (column != kNone) columns[column] = rest[i];
      ++i;
    }
    return columns;
  }

 private:
  void Add(const std::string& name, size_t column) {
    size_t place = 0;
    all_ &= name.starts_with('x') && ParseNumber(std::string_view(name).substr(1), &place) &&
            known_.emplace(place, column).second;
  }

  std::map<size_t, size_t> known_;  // place, schema column
  bool all_ = true;
};

class Assigner {
 public:
  Assigner(const Table& table, const ReadOptions& options)
      : table_(table), options_(options), like_(options.like) {
    wanted_ = options.need_targets && options.labels_path.empty();
    by_name_ = like_ && like_->named && table.named;
    if (!by_name_) return;
    for (size_t c = 0; c < table.names.size(); ++c) column_of_[table.names[c]] = c;
  }

  Roles Assign() {
    Check(like_ || options_.labels_path.empty() || options_.target.empty(), table_.source,
          ": set either a target column ('", options_.target, "') or a labels file (",
          options_.labels_path, "), not both");
    if (!options_.weight_column.empty())
      roles_.weight = FindIf(!like_, options_.weight_column, "weight");  // new rows need none
    if (!options_.id.empty()) roles_.id = MustFind(table_, options_.id, "id");
    for (const std::string& name : Listed(options_.ignore)) {
      if (const auto column = FindIf(!like_, name, "ignored")) roles_.ignored.push_back(*column);
    }
    if (!like_) {
      for (const std::string& name : options_.categories) MustFind(table_, name, "categorical");
      for (const std::string& name : options_.dates) {
        auto column = Find(table_, name);
        if (!column) column = MustFind(table_, WithoutDateOrder(name), "date");
        Check(!Means(options_.categories, table_, *column), table_.source, ": ",
              table_.ColumnName(*column), " is set as a date and as a category; choose one");
      }
    }
    roles_.targets = Targets();
    for (const size_t c : roles_.targets) {
      Check(like_ || !(roles_.id == c || Contains(roles_.ignored, c)), table_.source, ": ",
            table_.ColumnName(c), " is the target; it cannot be ignored or used as an id");
    }
    Check(!roles_.weight || !Contains(roles_.targets, *roles_.weight), table_.source,
          ": the weight column '", options_.weight_column, "' is also a target");
    roles_.features = by_name_ ? ByName() : InOrder();
    CheckApart();
    const size_t last = table_.names.size() - 1;
    if (!like_ && wanted_ && options_.target.empty()) {
      roles_.target_moved = roles_.id == last || Contains(roles_.ignored, last);
      roles_.other_target = OtherTarget();
    }
    if (!wanted_) roles_.targets.clear();
    return roles_;
  }

 private:
  std::optional<size_t> FindIf(bool needed, const std::string& name, const char* what) const {
    return needed ? MustFind(table_, name, what) : Find(table_, name);
  }

  Columns Targets() const {
    const bool trained = by_name_ && !like_->targets.empty();
    if (trained && IsIndices(options_.target)) return SchemaTargets();  // indices of another file
    if (!options_.target.empty()) return Named(Listed({options_.target}));
    if (!wanted_) return {};
    return Last(like_ ? std::max<size_t>(1, like_->targets.size()) : 1);
  }

  // A feature that is named as targets are, where the target is not.
  std::optional<size_t> OtherTarget() const {
    const auto is_name = [&](size_t c) {
      const std::string name = Lowered(table_.names[c]);
      return name == "target" || name == "class" || name == "label" || name == "y";
    };
    if (std::ranges::any_of(roles_.targets, is_name)) return {};
    const auto found = std::ranges::find_if(roles_.features, is_name);
    return found == roles_.features.end() ? std::nullopt : std::optional(*found);
  }

  // By name only.
  Columns SchemaTargets() const {
    Columns columns;
    for (const std::string& name : like_->targets) {
      const auto found = column_of_.find(name);
      Check(!wanted_ || found != column_of_.end(), table_.source, ": no target column '",
            Shown(name), "', which the training data has", Suggested(Shown(name), table_));
      if (found != column_of_.end()) columns.push_back(found->second);
    }
    return columns;
  }

  // The file column of each schema column; the names of those that the schema does not know are
  // extra. Throws Error, naming them, if some of the schema's are not there.
  Columns ByName() {
    std::unordered_set<std::string_view> known(like_->targets.begin(), like_->targets.end());
    for (const LeftOut& column : like_->left_out) known.insert(column.name);
    Columns features;
    std::vector<std::string> missing;
    for (const Column& column : like_->columns) {
      known.insert(column.name);
      const auto found = column_of_.find(column.name);
      if (found == column_of_.end()) {
        missing.push_back(column.name);
      } else {
        features.push_back(found->second);
      }
    }
    for (const size_t c : Rest()) {
      if (!known.count(table_.names[c])) roles_.extra.push_back(table_.names[c]);
    }
    Check(missing.empty(), table_.source, ": is missing column", missing.size() == 1 ? " " : "s ",
          SomeQuoted(missing), ", which the training data has");
    return features;
  }

  // Without need_targets, targets that the file has anyway are only removed from the features.
  Columns Named(const std::vector<std::string>& names) const {
    Columns columns;
    const bool no_room = like_ && !by_name_ && table_.names.size() == like_->columns.size();
    if (!wanted_ && no_room) return columns;
    for (const std::string& name : names) {
      const std::optional<size_t> column = FindIf(wanted_, name, "target");
      if (!column) continue;
      Check(!Contains(columns, *column), table_.source, ": target column '", name,
            "' is listed twice");
      columns.push_back(*column);
    }
    return columns;
  }

  Columns Last(size_t count) const {
    const Columns rest = Rest();
    return {rest.end() - static_cast<long>(std::min(count, rest.size())), rest.end()};
  }

  Columns Rest() const {
    const std::vector<bool> taken = Taken();
    Columns rest;
    for (size_t c = 0; c < table_.names.size(); ++c) {
      if (!taken[c]) rest.push_back(c);
    }
    return rest;
  }

  // A name may hold a comma: what is no column's name as a whole is a list.
  std::vector<std::string> Listed(const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    for (const std::string& name : names) {
      if (Find(table_, name)) {
        all.push_back(name);
      } else {
        for (std::string& item : SplitList(name)) all.push_back(std::move(item));
      }
    }
    return all;
  }

  // The columns of targets and weights, and those that are ignored.
  std::vector<bool> Taken() const {
    std::vector<bool> taken(table_.names.size());
    for (const size_t c : roles_.targets) taken[c] = true;
    if (roles_.weight) taken[*roles_.weight] = true;
    if (roles_.id) taken[*roles_.id] = true;
    for (const size_t c : roles_.ignored) taken[c] = true;
    return taken;
  }

  // A model's features are found by name; each must be a column of its own.
  void CheckApart() const {
    std::vector<bool> taken = Taken();
    if (roles_.id && by_name_) taken[*roles_.id] = false;  // a feature may name its row, too
    for (const size_t c : roles_.features) {
      if (taken[c])
        Fail(table_.source, ": ", table_.ColumnName(c),
             " is a feature of the model; it cannot be a target or a weight");
      taken[c] = true;
    }
  }

  Columns InOrder() const {
    Columns rest = Rest();
    const size_t columns = table_.names.size(), others = columns - rest.size();
    const std::string separator =
        Join("; the detected separator is ", table_.separator, " (use --separator to change it)");
    Check(!rest.empty(), table_.source, ": has ", columns, columns == 1 ? " column" : " columns",
          " but no feature, as targets, weights, ids and ignored columns do not count",
          table_.separator.empty() ? "" : separator);
    if (!like_) return rest;
    const size_t wanted = like_->columns.size();
    Check(!wanted_ || columns != wanted, table_.source, ": has ", columns,
          " columns, as many as there are features, so the targets are missing; use --labels "
          "(--val-labels, --test-labels) to name a file of targets");
    if (rest.size() == wanted) return rest;
    const Places places(*like_);
    const size_t all = places.all() ? places.size() : wanted;
    const bool with_target = !wanted_ && others == 0 && rest.size() == all + 1;  // trained on
    std::vector<std::string> left_out;
    for (const LeftOut& column : like_->left_out) left_out.push_back(Shown(column.name));
    Check(!with_target || places.all() || left_out.empty(), table_.source, ": has ", rest.size(),
          " columns without names for ", wanted, " features; one of them is the target or a ",
          "column that training left out (", JoinSome(left_out, 5, ", "),
          "); add a header to say which");
    if (with_target)
      rest.erase(rest.begin() + static_cast<long>(places.all() ? places.Target() : all));
    if (rest.size() == all) return places.all() ? places.Features(rest, wanted) : rest;
    Fail(table_.source, ": has ", rest.size(), " feature columns",
         others ? Join(" (and ", others, " for targets and weights)") : "",
         ", but the training data has ", wanted);
  }

  const Table& table_;
  const ReadOptions& options_;
  const Schema* like_;
  bool wanted_;                                             // targets are to be read from this file
  bool by_name_;                                            // columns are matched by name
  std::unordered_map<std::string_view, size_t> column_of_;  // then
  Roles roles_;
};

}  // namespace

bool Means(const std::vector<std::string>& names, const Table& table, size_t column) {
  return std::ranges::any_of(names,
                             [&](const std::string& name) { return Find(table, name) == column; });
}

const std::string* DateOption(const Table& table, size_t column, const ReadOptions& options) {
  const auto found = std::ranges::find_if(options.dates, [&](const std::string& name) {
    return Means({name, WithoutDateOrder(name)}, table, column);
  });
  return found == options.dates.end() ? nullptr : &*found;
}

Roles AssignRoles(const Table& table, const ReadOptions& options) {
  return Assigner(table, options).Assign();
}

}  // namespace gopnet

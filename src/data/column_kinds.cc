#include "data/column_kinds.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "base/names.h"
#include "data/dates.h"
#include "data/field.h"
#include "data/row_names.h"

namespace gopnet {
namespace {

constexpr size_t kMostCategories = 1000;  // of a column, if the user asks for them; else
constexpr size_t kFewCategories = 50;     // this many
constexpr size_t kManyNumbers = 10;       // more in a column of text suggest a column of numbers
constexpr char kDates[] = "gopnet reads dates such as 2021-05-12";
constexpr char kEmpty[] = "empty";
constexpr size_t kEnoughBlanks = 5;  // and 1 % of the rows: enough for an indicator

class Decider {
 public:
  Decider(const TableRows& rows, const Table& table, const ReadOptions& options, TableNotes& notes)
      : rows_(rows), table_(table), options_(options), notes_(notes) {}

  // Sets the column; returns why it is left out, or nothing.
  std::string Decide(size_t k, size_t file_column, Column* column) {
    k_ = k;
    file_column_ = file_column;
    column_ = column;
    report_ = &notes_.Report(file_column);
    feature_ = &rows_.features[k];
    report_->blanks = feature_->blanks + feature_->strays.count;
    known_ = rows_.count - report_->blanks;
    if (known_ == 0) return Empty();
    const std::string reason = feature_->text.empty() ? Number() : Text();
    if (!reason.empty()) return reason;
    Blanks();
    report_->features = column->features();
    return "";
  }

  // The same for a column of the file that was not read, as it holds nothing.
  std::string LeaveBlank(size_t file_column) {
    report_ = &notes_.Report(file_column);
    report_->blanks = rows_.count;
    return Empty();
  }

 private:
  std::string Name() const { return table_.ColumnName(file_column_); }
  std::string Option(const char* option) const { return table_.Option(option, file_column_); }
  std::string AsText() const {
    return Join("use ", Option("--categorical"), " to treat the column as text");
  }

  // DecideColumns warns about all empty columns at once: there may be a million.
  std::string Empty() {
    report_->kind = kEmpty;
    report_->use = "left out";
    report_->used = false;
    return kEmpty;
  }

  std::string LeaveOut(const std::string& reason, const std::string& why,
                       const std::string& remedy) {
    report_->kind = reason;
    report_->use = "left out: " + why;
    report_->used = false;
    notes_.GuessAndWarn(Join(Name(), " ", why, " and is left out"),
                        Join("use ", Option("--ignore"), " to confirm"), remedy);
    return reason;
  }

  std::string Number() {
    report_->kind = "number";
    report_->use = "used";
    if (feature_->strays.count > 0) WarnOfStrays();
    notes_.AddCurrencies(Name(), feature_->currencies);
    if (IsIndex()) return LeaveOut("index", "counts the rows", "rename it to use it");
    if (IsShuffledIndex()) return LeaveOut("index", "numbers the rows", "rename it to use it");
    if (IsNumericId())
      return LeaveOut("id", "has a different number in every row", "rename it to use it");
    if (IsConstant()) {
      report_->kind = "constant";
      report_->use = "used, but has the same value in every row";
    } else if (!feature_->far.empty()) {
      SetOffset();
    }
    column_->unit = Shown(table_.hints[file_column_].unit);  // UTF-8, as model files want
    if (column_->unit.empty() && feature_->currencies.other.empty())
      column_->unit = feature_->currencies.first;
    if (!column_->unit.empty()) report_->use += Join(", in ", column_->unit);
    if (options_.report && options_.count_distinct) report_->distinct = CountDistinct(false);
    if (table_.hints[file_column_].padded)
      notes_.GuessAndWarn(Join(Name(), " holds codes with leading zeros, nearly all different, ",
                               "and is read as numbers"),
                          AsText());
    if (LooksLikeDays())
      notes_.Warn(Join(Name(), " holds numbers that may be dates (use ", Option("--date"),
                       " to read them as dates)"));
    const bool written = !table_.separator.empty();  // arrays keep all their columns
    if (written && rows_.count >= kRowsOfIds && CountsUp())
      notes_.GuessAndWarn(
          Join(Name(), " increases by 1 in every row and is used"),
          Join("use ", Option("--ignore"), " to leave it out if it only numbers the rows"));
    return "";
  }

  // 20200131
  bool LooksLikeDays() const {
    if (table_.hints[file_column_].digits != 8) return false;
    for (size_t i = 0; i < rows_.count; ++i) {
      const double month = std::fmod(std::floor(Value(i) / 100), 100);
      if (Value(i) < 1900'01'01 || Value(i) > 2100'12'31 || month < 1 || month > 12) return false;
    }
    return true;
  }

  bool CountsUp() const {
    if (known_ < rows_.count || Value(0) != std::trunc(Value(0))) return false;
    for (size_t i = 1; i < rows_.count; ++i) {
      if (Value(i) != Value(i - 1) + 1) return false;
    }
    return true;
  }

  bool IsConstant() const {
    double first = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = 0; i < rows_.count; ++i) {
      const double value = Value(i);
      if (std::isnan(first)) first = value;
      if (!std::isnan(value) && value != first) return false;
    }
    return true;
  }

  // Numbers far from 0 are stored relative to the smallest.
  void SetOffset() {
    Range range;
    for (const double value : feature_->far) range.Add(value);
    if (!range.IsFar()) return;
    column_->offset = range.low;
    report_->use = "used, relative to its smallest value";
  }

  double Value(size_t row) const {
    return feature_->far.empty() ? static_cast<double>(rows_.x.Row(row)[k_]) : feature_->far[row];
  }

  void WarnOfStrays() {
    const Strays& strays = feature_->strays;
    notes_.GuessAndWarn(Join(strays.place, ": expected a number, found '", strays.text, "'; ",
                             CountAsBlanks(strays.count)),
                        AsText());
  }

  // 0, 1, 2, ... or 1, 2, 3, ... down the file, in a column without a name of its own.
  bool IsIndex() const {
    const std::string& name = table_.names[file_column_];
    const bool unnamed = file_column_ == 0 && name == "x0";
    return MayBeIndex() && (IsIndexName(name) || unnamed) && (Value(0) == 0 || Value(0) == 1) &&
           CountsUp();
  }

  // An index of rows that were sampled, sorted or concatenated. A column without a name needs a
  // different whole number in at least half of the rows, one with a name in all of them.
  bool IsShuffledIndex() const {
    if (!MayBeIndex() || !IsNamedAsIndex(table_, file_column_)) return false;
    const bool unnamed = table_.no_first_name && file_column_ == 0;
    const size_t distinct = CountDistinct(true);
    return unnamed ? 2 * distinct >= rows_.count : distinct == rows_.count;
  }

  // Columns of arrays stay, and so does the only column.
  bool MayBeIndex() const {
    return !table_.array && known_ == rows_.count && rows_.count >= 10 && rows_.x.cols > 1;
  }

  bool IsNumericId() const {
    if (table_.array || known_ < kRowsOfIds || rows_.x.cols == 1) return false;
    return IsIdName(table_.names[file_column_]) && CountDistinct(true) == known_;
  }

  // The number of unique values; 0 if `whole` and one of them is a fraction.
  size_t CountDistinct(bool whole) const {
    std::unordered_set<double> seen;
    for (size_t i = 0; i < rows_.count; ++i) {
      const double value = Value(i);
      if (std::isnan(value)) continue;
      if (whole && std::trunc(value) != value) return 0;
      seen.insert(value);
    }
    return seen.size();
  }

  std::string Text() {
    const Counts counts = CountTexts(feature_->text);
    report_->distinct = counts.size();
    const std::string* date = DateOption(table_, file_column_, options_);
    const bool category = Means(options_.categories, table_, file_column_);
    if (!category && (date || !OrdersOf(counts, false).empty())) return Date(counts, date);
    if (!category && counts.size() == 1) return LeaveOut("constant", "has only one value", "");
    if (!category && AreIds(counts))
      return LeaveOut("id", "has a different text in nearly every row",
                      HoldsMonths(counts) ? kDates : AsText());
    Categories(counts, category || options_.categorical ? kMostCategories : kFewCategories);
    if (table_.hints[file_column_].codes) report_->use += ", codes with leading zeros";
    if (!category) WarnOfNumbers(counts);
    notes_.Guess(Join(Name(), " holds text and is treated as categories"),
                 Join("use ", Option("--categorical"), " to confirm"));
    return "";
  }

  // Dates with names of months that gopnet does not know.
  static bool HoldsMonths(const Counts& counts) {
    const auto months = static_cast<size_t>(
        std::ranges::count_if(counts, [](const auto& item) { return NamesMonth(item.first); }));
    return 2 * months >= counts.size();
  }

  // Quantities in a notation that gopnet does not read: <0.5, 2.6k, 139/76, 3h 20m.
  void WarnOfNumbers(const Counts& counts) {
    size_t numbers = 0, digits = 0;             // digits: in front of something else
    std::string_view other, measured, example;  // measured: a number with a unit
    for (const auto& [text, count] : counts) {
      const char decimal = table_.Style(file_column_).decimal;
      const FieldKind kind = KindOf(text, {decimal, UnitOf(text)});
      if (kind == FieldKind::kText) other = std::max(other, text);
      if (kind == FieldKind::kNumber && !UnitOf(text).empty()) measured = std::max(measured, text);
      numbers += kind == FieldKind::kNumber;
      if (text[0] < '0' || text[0] > '9') continue;
      ++digits;
      example = std::max(example, text);
    }
    const auto many = [&](size_t count) {
      return count > kManyNumbers && 2 * count >= counts.size();
    };
    const bool codes = table_.hints[file_column_].codes;
    if (codes && many(numbers))
      notes_.Warn(Join(Name(), " holds ", numbers, " different codes with leading zeros, which ",
                       "become categories (remove the zeros to have them read as numbers)"));
    if (!many(numbers) && many(digits))
      notes_.Warn(Join(Name(), " holds ", digits, " different texts such as '", Shown(example),
                       "', which become categories (",
                       NamesMonth(example) ? kDates : "gopnet reads plain numbers as numbers",
                       ")"));
    if (!many(numbers) || codes) return;
    notes_.GuessAndWarn(Join(Name(), " holds ", numbers, " different numbers and '",
                             Shown(other.empty() ? measured : other), "', which become categories"),
                        Join("use ", Option("--categorical"), " to confirm"),
                        "a column of numbers and blanks is read as numbers");
  }

  void Categories(const Counts& counts, size_t most) {
    std::vector<std::pair<std::string_view, size_t>> sorted(counts.begin(), counts.end());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    column_->other = sorted.size() > most;
    sorted.resize(std::min(most, sorted.size()));
    for (const auto& category : sorted) column_->categories.emplace_back(category.first);
    std::ranges::sort(column_->categories);
    report_->kind = "category";
    report_->use = "one-hot";
    if (column_->other)
      report_->use +=
          Join(", the ", most, " most frequent and one for all others",
               most < kMostCategories ? "; use " + Option("--categorical") + " for more" : "");
  }

  static std::string Example(const Counts& counts) {
    std::string_view example;
    for (const auto& item : counts) example = std::max(example, item.first);
    return Shown(example);
  }

  std::string Date(const Counts& counts, const std::string* option) {
    std::vector<std::string> orders = OrdersOf(counts, option != nullptr);
    if (option && WithoutDateOrder(*option) != *option) {
      const std::string order = option->substr(option->rfind(':') + 1);
      Check(std::ranges::count(orders, order) > 0, table_.source, ": ", Name(),
            ": expected dates in the order ", order, ", found '", Example(counts), "'");
      orders = {order};
    }
    Check(!orders.empty(), table_.source, ": ", Name(), ": expected dates such as 2020-01-31, ",
          "31.01.2020 or 01/31/2020, found '", Example(counts), "'");
    if (orders.size() > 1)
      Fail(table_.source, ": ", Name(), ": '", Shown(DateOfTwoOrders(counts, orders)),
           "' may be day and month or month and day (use ", Option("--date"), ":dmy or ",
           Option("--date"), ":mdy to choose, or ", Option("--categorical"),
           " to treat the column as text)");
    if (!option)
      notes_.Guess(Join(Name(), " holds dates"), Join("use ", Option("--date"), " to confirm"));
    column_->date = orders[0];
    column_->offset = std::numeric_limits<double>::infinity();
    size_t strays = 0, blanks = 0;  // other words, and words for a blank (NULL, n.a.)
    std::string_view stray;
    for (const auto& [text, count] : counts) {
      Moment moment;
      if (ParseNewDate(text, column_->date, &moment)) {
        column_->hours |= moment.has_time;
        column_->offset = std::min(column_->offset, std::floor(moment.days));
        continue;
      }
      Check(options_.missing != ReadOptions::Missing::kError, table_.source, ": ", Name(),
            ": expected a date, found '", Shown(text),
            "'; --missing auto treats such fields as blanks");
      blanks += count;
      if (KindOf(text, NumberStyle()) == FieldKind::kMissing) continue;
      strays += count;
      stray = std::max(stray, text);
    }
    report_->blanks += blanks;
    if (strays > 0)
      notes_.GuessAndWarn(
          Join(Name(), ": expected a date, found '", Shown(stray), "'; ", CountAsBlanks(strays)),
          AsText());
    report_->kind = "date";
    report_->use = Join("used as year, month, weekday, ", column_->hours ? "hour, " : "", "days");
    return "";
  }

  void Blanks() {
    if (report_->blanks == 0) return;
    const size_t enough = std::max(kEnoughBlanks, (rows_.count + 99) / 100);
    column_->indicator =
        options_.missing == ReadOptions::Missing::kAuto && report_->blanks >= enough;
    if (options_.missing == ReadOptions::Missing::kAuto)
      notes_.Guess(Join(Name(), " has blanks, which gopnet fills with the mean"),
                   "use --missing mean to confirm");
    report_->use += column_->indicator ? "; blanks filled with the mean and marked by a 0/1 feature"
                                       : "; blanks filled with the mean";
  }

  const TableRows& rows_;
  const Table& table_;
  const ReadOptions& options_;
  TableNotes& notes_;
  size_t k_ = 0, file_column_ = 0, known_ = 0;
  const Feature* feature_ = nullptr;
  Column* column_ = nullptr;
  ColumnReport* report_ = nullptr;
};

void WarnOfEmpty(const Table& table, const std::vector<size_t>& empty, TableNotes& notes) {
  if (empty.empty()) return;
  const bool one = empty.size() == 1;
  constexpr size_t kMost = 5;
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(kMost, empty.size()); ++i)
    shown.push_back(table.ColumnName(empty[i]));
  const std::string more = empty.size() > kMost ? Join(" and ", empty.size() - kMost, " more") : "";
  notes.GuessAndWarn(Join(JoinList(shown, ", "), more,
                          one ? " has no values and is" : " have no values and are", " left out"),
                     "use --ignore to confirm", "");
}

}  // namespace

std::vector<size_t> DecideColumns(const TableRows& rows, const Table& table, const Roles& roles,
                                  const ReadOptions& options, TableNotes& notes, Schema* schema) {
  Decider decider(rows, table, options, notes);
  std::vector<size_t> used, empty, all = roles.features;  // in file order
  all.insert(all.end(), roles.blank.begin(), roles.blank.end());
  std::ranges::sort(all);
  size_t k = 0;
  for (const size_t c : all) {
    Column column{table.names[c]};
    const bool blank = k == roles.features.size() || roles.features[k] != c;
    const std::string reason = blank ? decider.LeaveBlank(c) : decider.Decide(k, c, &column);
    k += blank ? 0 : 1;
    if (!reason.empty()) {
      if (reason == kEmpty) empty.push_back(c);
      schema->left_out.push_back({std::move(column.name), reason});
      continue;
    }
    schema->fill_missing |= notes.Report(c).blanks > 0;
    schema->columns.push_back(std::move(column));
    used.push_back(k - 1);
  }
  WarnOfEmpty(table, empty, notes);
  Check(!used.empty(), table.source, ": no feature is left: ",
        all.size() == 1 ? "the only column besides the target is an id, an index, constant or empty"
                        : Join("all ", all.size(),
                               " columns besides the target are ids, indexes, constant or empty"));
  return used;
}

}  // namespace gopnet

// Whether the first line of a text file names its columns.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/check.h"
#include "base/names.h"
#include "data/formats/csv_format.h"

namespace gopnet {
namespace {

size_t CountKind(const Record& fields, FieldKind kind) {
  return static_cast<size_t>(std::count_if(
      fields.begin(), fields.end(), [&](const std::string& f) { return KindOf(f) == kind; }));
}

bool AllDistinct(const Record& fields) {
  return std::set<std::string>(fields.begin(), fields.end()).size() == fields.size();
}

// Half of the fields are names the schema knows; of numbers, which data may repeat, all.
bool RepeatsNames(const Record& fields, const Schema& schema) {
  std::set<std::string> names(schema.targets.begin(), schema.targets.end());
  for (const Column& column : schema.columns) names.insert(column.name);
  for (const LeftOut& column : schema.left_out) names.insert(column.name);
  const auto known = static_cast<size_t>(std::count_if(
      fields.begin(), fields.end(), [&](const std::string& f) { return names.count(f) > 0; }));
  if (CountKind(fields, FieldKind::kNumber) > 0)
    return known + (fields[0].empty() ? 1 : 0) >= fields.size() && AllDistinct(fields);
  return 2 * known >= fields.size();
}

bool TextOverNumber(const Record& first, const Record& second) {
  for (size_t c = 0; c < std::min(first.size(), second.size()); ++c) {
    if (KindOf(first[c]) == FieldKind::kText && KindOf(second[c]) == FieldKind::kNumber)
      return true;
  }
  return false;
}

// What the rows below the first hold in one column.
struct Below {
  bool numbers = true;   // nothing else
  bool whole = true;     // whole numbers
  bool counting = true;  // each larger by 1 than the one before
  bool repeats = false;  // the field of the first row
  double low = std::numeric_limits<double>::infinity(), high = -low;

  Below(const std::vector<Record>& records, size_t column) {
    double before = 0;
    for (size_t i = 1; i < records.size(); ++i) {
      if (column >= records[i].size()) continue;
      double value = 0;
      const std::string& field = records[i][column];
      const FieldKind kind = ParseNumberField(field, {}, &value);
      repeats |= field == records[0][column];
      counting &= kind == FieldKind::kNumber && (i == 1 || value == before + 1);
      before = value;
      if (kind == FieldKind::kMissing) continue;
      numbers &= kind == FieldKind::kNumber;
      whole &= std::trunc(value) == value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
};

// Names made of digits: 0, 1, 2, y or years. Numbers in the first line are names if they are whole
// and differ, and the rows below are of another kind.
class NumericNames {
 public:
  NumericNames(const std::vector<Record>& records, const std::string& source)
      : records_(records), first_(records[0]), source_(source) {}

  bool Found() {
    if (records_.size() < 2 || !LikeNames()) return false;
    bool text_over_numbers = false, index = false, fraction = false, years = true;
    for (size_t c = 0; c < first_.size(); ++c) {
      const Below below(records_, c);
      double name = 0;
      const FieldKind kind = ParseField(first_[c], &name);
      if (kind == FieldKind::kText && below.repeats) return false;
      text_over_numbers |= kind == FieldKind::kText && below.numbers;
      index |= c == 0 && first_[c].empty() && below.counting;
      if (kind != FieldKind::kNumber) continue;
      fraction |= below.numbers && !below.whole;
      years &= IsYear(name) && below.numbers && !IsYear(below.low) && !IsYear(below.high);
    }
    if (text_over_numbers || index) return true;
    if (!evenly_ || numbers_ < 2) return false;
    if (years) return true;
    const bool from_zero = first_[0] == "0" && step_ == 1 && numbers_ == first_.size();
    if (from_zero && fraction && numbers_ > 2) return true;
    Check(!from_zero || (numbers_ == 2 && !fraction), source_, ": its first line (",
          JoinSome(first_, 8, ","),
          ") may be names of columns or a row of data; --header yes or --header no says which");
    return false;
  }

 private:
  static bool IsYear(double value) { return value >= 1800 && value <= 2200; }

  // Fields of digits only, or text; no two are equal, and only the first may be empty.
  bool LikeNames() {
    if (!AllDistinct(first_)) return false;
    double before = 0;
    for (size_t c = 0; c < first_.size(); ++c) {
      double value = 0;
      const FieldKind kind = ParseField(first_[c], &value);
      if (kind == FieldKind::kText || (c == 0 && first_[c].empty())) continue;
      const bool digits = first_[c].find_first_not_of("0123456789") == std::string::npos;
      if (kind != FieldKind::kNumber || !digits) return false;
      if (++numbers_ == 2) step_ = value - before;
      evenly_ &= numbers_ < 2 || (value - before == step_ && step_ > 0);
      before = value;
    }
    return numbers_ > 0;
  }

  const std::vector<Record>& records_;
  const Record& first_;
  const std::string& source_;
  size_t numbers_ = 0;
  bool evenly_ = true;
  double step_ = 0;
};

// Data repeats its words, a header does not.
bool Reappears(const std::vector<Record>& records) {
  const Record& first = records[0];
  for (size_t i = 1; i < records.size(); ++i) {
    for (size_t c = 0; c < std::min(first.size(), records[i].size()); ++c) {
      if (records[i][c] == first[c]) return true;
    }
  }
  return false;
}

}  // namespace

bool HasHeader(const HeaderQuestion& question, std::vector<std::string>* guesses) {
  const auto& [records, hints, source, count_rows, text, separator] = question;
  const Record& first = records[0];
  if (hints.like && hints.like->named && RepeatsNames(first, *hints.like)) return true;
  const bool all_text = CountKind(first, FieldKind::kText) == first.size();
  if (records.size() == 1) return all_text && !hints.like && hints.rows.value_or(2) > 1;
  if (NumericNames(records, source).Found()) {
    guesses->push_back("its first line was taken for names of columns (--header yes)");
    return true;
  }
  if (TextOverNumber(first, records[1]))
    return 2 * CountKind(first, FieldKind::kNumber) <= first.size();
  if (!all_text || !AllDistinct(first)) return false;
  const size_t rows = hints.rows ? count_rows(text, separator, source) : 0;
  if (hints.rows && rows == *hints.rows) return true;
  if (hints.rows && rows + 1 == *hints.rows) return false;
  return !Reappears(records);
}

}  // namespace gopnet

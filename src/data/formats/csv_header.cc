// Decides whether the first line of a text file holds column names.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/check.h"
#include "base/names.h"
#include "data/dates.h"
#include "data/formats/csv_format.h"

namespace gopnet {
namespace {

constexpr double kRare = 0.01;

size_t CountKind(const Record& fields, FieldKind kind) {
  return static_cast<size_t>(
      std::ranges::count_if(fields, [&](const std::string& f) { return KindOf(f) == kind; }));
}

// Text, but not a number in another notation, such as 1,5 or $5.
bool IsText(const std::string& field, char decimal) {
  return KindOf(field) == FieldKind::kText && !IsNumber(field, decimal);
}

// Text that names something: no date, no number in any unit, no word for a blank.
bool IsName(const std::string& field, char decimal) {
  return IsText(field, decimal) && !LooksLikeDate(field) &&
         KindOf(field, {decimal, UnitOf(field)}) != FieldKind::kMissing;
}

// 0, 1, 2, ... are so likely to be names that gopnet never silently reads them as data.
bool CountsFromZero(const Record& fields) {
  for (size_t c = 0; c < fields.size(); ++c) {
    if (fields[c] != std::to_string(c)) return false;
  }
  return true;
}

// Statistics of one column below the first row, and how well the first row's field fits them.
struct Below {
  bool numbers = true;       // nothing else but blanks
  bool fraction = false;     // some are not whole
  bool counting = true;      // each larger by 1 than the one before, from 0 or in three rows
  bool repeats = false;      // the field of the first row
  bool goes_on = true;       // numbers that grow from that of the first row, as times do
  bool values = false;       // most are numbers or dates, and the field of the first row is a name
  bool stray = false;        // all are plain numbers, and that field is a date or has a unit
  bool date = false;         // most are dates, and that field is one
  bool blank = false;        // the field of the first row is a word for a blank
  bool few = true;           // rows, too few to tell what numbers are odd
  bool other_length = true;  // all are of one length, as f and m below sex, the first row's is not
  Range range;
  double chance = 1;  // that a row of data has a field such as the first row's

  Below(const std::vector<Record>& records, size_t column, char decimal) {
    const std::string& name = records[0][column];
    double first = 0;
    const FieldKind kind = ParseNumberField(name, {decimal}, &first);
    double before = first;
    size_t fields = 0, blanks = 0, all = 0, whole = 0, dates = 0, written = 0;
    std::map<std::string_view, size_t> texts;
    for (size_t i = 1; i < records.size(); ++i) {
      if (column >= records[i].size()) {
        other_length = false;
        continue;
      }
      double value = 0;
      const std::string& field = records[i][column];
      const FieldKind below = ParseNumberField(field, {decimal}, &value);
      const bool number = below == FieldKind::kNumber;
      repeats |= field == name;
      other_length =
          other_length && field.size() != name.size() && field.size() == records[1][column].size();
      counting &= number && (i == 1 || value == before + 1);
      goes_on &= number && value > before;
      before = value;
      ++fields;
      blanks += below == FieldKind::kMissing;
      dates += LooksLikeDate(field);
      written += number || below == FieldKind::kInfinite || IsNumber(field, decimal);
      if (below == FieldKind::kText) ++texts[field];
      if (below == FieldKind::kMissing) continue;
      numbers &= number;
      if (!number) continue;
      ++all;
      whole += std::trunc(value) == value;
      range.Add(value);
    }
    fraction = whole < all;
    numbers &= all > 0;
    counting &= fields >= 3 || range.low == 0;
    few = fields < 6;
    const auto most = [&](size_t count) { return 10 * count > 9 * (fields - blanks); };
    values = IsName(name, decimal) && most(written + dates);
    date = LooksLikeDate(name) && most(dates);
    blank = !name.empty() && kind == FieldKind::kMissing;
    stray = numbers && kind == FieldKind::kText && !IsName(name, decimal);
    const bool apart = std::max(first - range.high, range.low - first) > range.high - range.low;
    // 5 or 5.0, as Python writes it, but not 5.00, which has the form of data
    const bool is_whole = name.find('.') == std::string::npos || name.ends_with(".0");
    const size_t alike = kind == FieldKind::kNumber ? (apart      ? 0
                                                       : is_whole ? whole
                                                                  : all)
                         : kind == FieldKind::kText ? Single(texts)
                                                    : blanks;
    chance = static_cast<double>(alike + 1) / static_cast<double>(fields + 1);
  }

 private:
  static size_t Single(const std::map<std::string_view, size_t>& texts) {
    return static_cast<size_t>(
        std::ranges::count_if(texts, [](const auto& text) { return text.second == 1; }));
  }
};

// Names made of digits: 0, 1, 2, y or years. Numbers in the first line are names if they are whole
// and differ, and the rows below are of another kind.
class NumericNames {
 public:
  // A wrong yes loses a row, so statistical evidence alone gives kLikely.
  enum Answer { kNo, kYes, kLikely, kUnclear };

  NumericNames(const Record& first, char decimal) : first_(first), decimal_(decimal) {}

  Answer Find(const std::vector<Below>& columns) {
    if (!LikeNames()) return kNo;
    bool fraction = false, years = true, goes_on = false;
    bool outside = true;   // all numbers are outside of those below
    double chance = 1;     // that a row of data looks like the first
    size_t odd = 0;        // numbers that would be rare below
    size_t odd_words = 0;  // text above nothing but numbers
    for (size_t c = 0; c < first_.size(); ++c) {
      const Below& below = columns[c];
      double name = 0;
      const FieldKind kind = ParseField(first_[c], &name);
      if (kind == FieldKind::kText && below.repeats) return kNo;
      odd_words += below.numbers && IsName(first_[c], decimal_);
      if (c == 0 && first_[c].empty() && below.counting) return kYes;
      if (!below.few) chance *= below.chance;
      if (kind != FieldKind::kNumber) continue;
      odd += !below.few && below.chance < 0.3;
      const auto [low, high] = below.range;
      outside &= name < low || name > high;
      goes_on |= c == 0 && below.goes_on;
      fraction |= below.numbers && below.fraction;
      years &= IsYear(name) && below.numbers && !IsYear(low) && !IsYear(high);
    }
    const bool only_numbers = numbers_ == first_.size();
    if (first_.size() == 1) return kNo;
    if (odd_words > 0 && digits_) return IsSequence() || range_.high == 0 ? kYes : kLikely;
    years &= numbers_ >= 2 && digits_;
    if (years && (outside || (numbers_ >= 3 && growing_)))
      return IsSequence() || chance < 5 * kRare ? kYes : kUnclear;
    const bool from_zero = CountsFromZero(first_);
    if (only_numbers && numbers_ == 2)  // a row of two such numbers is nothing special
      return chance < kRare || (from_zero && fraction) ? kUnclear : kNo;
    if (from_zero) return fraction || chance < kRare ? kYes : kUnclear;
    const bool mostly_odd = 2 * odd > numbers_ && odd + odd_words >= 2;  // one is an outlier
    const bool short_one = numbers_ < 4 && !(numbers_ == 3 && digits_ && range_.low <= 1);
    if (IsSequence() && chance < (short_one ? 5 * kRare : 0.3)) return mostly_odd ? kYes : kLikely;
    if (chance < kRare && mostly_odd && !goes_on) return kLikely;
    return chance < 5 * kRare || years || (only_numbers && IsSequence()) ? kUnclear : kNo;
  }

 private:
  static bool IsYear(double value) { return value >= 1800 && value <= 2200; }

  // Three or more evenly apart, or whole numbers without a gap in any order.
  bool IsSequence() const {
    const bool dense = digits_ && range_.high - range_.low == static_cast<double>(numbers_ - 1);
    return (numbers_ >= 3 && evenly_) || (numbers_ >= 2 && dense);
  }

  // Numbers or text; no two are equal, and only the first may be empty.
  bool LikeNames() {
    if (!AllDistinct(first_)) return false;
    double before = 0;
    for (size_t c = 0; c < first_.size(); ++c) {
      double value = 0;
      const FieldKind kind = ParseNumberField(first_[c], {decimal_, "%"}, &value);
      if (kind == FieldKind::kText || (c == 0 && first_[c].empty())) continue;
      if (KindOf(first_[c]) != FieldKind::kNumber) return false;
      digits_ &= first_[c].find_first_not_of("0123456789") == std::string::npos;
      if (++numbers_ == 2) step_ = value - before;
      evenly_ &= numbers_ < 2 || (value - before == step_ && step_ > 0);
      growing_ &= numbers_ < 2 || value > before;
      before = value;
      range_.Add(value);
    }
    return numbers_ > 0;
  }

  const Record& first_;
  char decimal_;
  size_t numbers_ = 0;
  bool evenly_ = true, growing_ = true;
  bool digits_ = true;  // all numbers are digits only
  double step_ = 0;
  Range range_;
};

// The probability that a row of data looks like the first row. Columns that repeat its field do not
// count, as some names may also be values (y above y and n).
struct Oddity {
  double all = 1;            // the chance, if columns do not depend on each other
  double oddest = 1;         // of one column
  size_t other_lengths = 0;  // columns

  explicit Oddity(const std::vector<Below>& columns) {
    for (const Below& below : columns) {
      if (below.repeats) continue;
      all *= below.chance;
      oddest = std::min(oddest, below.chance);
      other_lengths += below.other_length;
    }
  }
};

enum class Verdict { kNames, kNamesPerhaps, kRowPerhaps, kRow };

// Judges how unusual the first row would be as data: data repeats its words, a header does not. A
// wrong yes silently loses a row, so it needs more evidence than a no.
Verdict JudgeWords(const std::vector<Below>& columns, size_t rows, bool new_rows) {
  constexpr double kSure = 0.001;
  const auto repeated = static_cast<size_t>(std::ranges::count_if(columns, &Below::repeats));
  const Oddity oddity(columns);
  if (repeated == 0) {
    if (oddity.all < kSure) return Verdict::kNames;
    return oddity.all < 5 * kRare ? Verdict::kNamesPerhaps : Verdict::kRowPerhaps;
  }
  if (new_rows || repeated == columns.size()) return Verdict::kRow;
  if (oddity.all >= kRare)  // of few rows, each looks odd
    return oddity.all < 10 * kRare || rows < 20 ? Verdict::kRowPerhaps : Verdict::kRow;
  const bool odd = oddity.oddest < kRare || oddity.other_lengths >= 2;
  return odd && 2 * repeated < columns.size() ? Verdict::kNamesPerhaps : Verdict::kRowPerhaps;
}

// A first row that has no names made of digits.
Verdict JudgeText(const Record& first, const std::vector<Below>& columns, size_t rows,
                  bool all_text, bool new_rows) {
  const auto count = [&](auto what) {
    return static_cast<size_t>(std::ranges::count_if(columns, what));
  };
  const size_t over = count(&Below::values), strays = count(&Below::stray);
  const size_t repeated = count(&Below::repeats), dates = count(&Below::date);
  if (CountKind(first, FieldKind::kNumber) > 0)
    return over > 0 && repeated == 0 ? Verdict::kRowPerhaps : Verdict::kRow;
  if (over > 0) return dates == 0 && repeated <= over ? Verdict::kNames : Verdict::kRowPerhaps;
  if (dates > 0 || std::ranges::any_of(first, IsSheetError)) return Verdict::kRow;
  if (strays > 0) return strays > 1 ? Verdict::kNamesPerhaps : Verdict::kRowPerhaps;
  if (!all_text || !AllDistinct(first)) return Verdict::kRow;
  return count(&Below::blank) > 0 ? Verdict::kRowPerhaps : JudgeWords(columns, rows, new_rows);
}

std::string FirstLine(const Record& first) {
  const bool wide = first.size() > 8;
  const Record some(first.begin(), first.begin() + (wide ? 8 : static_cast<long>(first.size())));
  return Join("the first line (", Shown(JoinList(some, ",")), wide ? ",..." : "", ")");
}

}  // namespace

bool AllText(const Record& fields) { return CountKind(fields, FieldKind::kText) == fields.size(); }

bool AllDistinct(const Record& fields) {
  return std::set(fields.begin(), fields.end()).size() == fields.size();
}

bool RepeatsNames(const Record& fields, const Schema& schema) {
  const std::set<std::string> given(fields.begin(), fields.end());
  std::set<std::string> names;
  bool complete = true;
  for (const Column& column : schema.columns) {
    names.insert(column.name);
    complete &= given.count(column.name) > 0;
  }
  for (const LeftOut& column : schema.left_out) names.insert(column.name);
  const bool some = std::ranges::any_of(given, [&](const auto& f) { return names.count(f) > 0; });
  names.insert(schema.targets.begin(), schema.targets.end());  // which may be values, too: y and n
  const auto known = static_cast<size_t>(
      std::ranges::count_if(fields, [&](const std::string& f) { return names.count(f) > 0; }));
  if (CountKind(fields, FieldKind::kNumber) == 0) return some && 2 * known >= fields.size();
  const bool all = known + (fields[0].empty() ? 1 : 0) >= fields.size();
  return (all || complete) && given.size() == fields.size();
}

bool HasHeader(const std::vector<Record>& records, const Hints& hints, const std::string& source,
               char decimal, size_t rows, std::vector<TableGuess>* guesses) {
  const Record& first = records[0];
  const std::string taken = FirstLine(first) + " is read as column names";
  const std::string unclear = FirstLine(first) + " may hold column names or data";
  const char* confirm = "use --header yes to confirm";
  const char* settles = "use --header yes or --header no to choose";
  if (hints.like && !hints.like->named) return false;
  if (hints.like && RepeatsNames(first, *hints.like)) return true;
  const bool no_first = first.size() > 1 && first[0].empty();  // above an index
  const bool all_text = std::all_of(first.begin() + no_first, first.end(),
                                    [&](const std::string& f) { return IsText(f, decimal); });
  if (records.size() == 1) return all_text && !hints.like && hints.rows.value_or(2) > 1;
  if (hints.rows && rows == *hints.rows) return false;
  const bool counted = CountsFromZero(first);  // pandas calls labels "0"
  if (hints.rows && rows == *hints.rows + 1 && (all_text || counted || no_first)) {
    if (counted) guesses->push_back({taken, settles, true});
    return true;
  }
  std::vector<Below> columns;
  for (size_t c = 0; c < first.size(); ++c) columns.emplace_back(records, c, decimal);
  NumericNames::Answer answer = NumericNames(first, decimal).Find(columns);
  const bool likely = answer == NumericNames::kLikely;
  if (likely && hints.like) answer = NumericNames::kUnclear;  // every row wants a prediction
  if (answer == NumericNames::kYes || answer == NumericNames::kLikely) {
    guesses->push_back({taken, likely ? settles : confirm, likely});
    return true;
  }
  Check(answer != NumericNames::kUnclear || !counted, source, ": ", unclear, "; ", settles);
  const Verdict verdict =
      answer == NumericNames::kUnclear
          ? Verdict::kRowPerhaps
          : JudgeText(first, columns, records.size(), all_text, hints.like != nullptr);
  const bool names = verdict == Verdict::kNames || verdict == Verdict::kNamesPerhaps;
  if (verdict == Verdict::kNamesPerhaps || verdict == Verdict::kRowPerhaps)
    guesses->push_back({names ? taken : unclear + " and is read as data", settles, true});
  return names;
}

}  // namespace gopnet

// Finds the lines below the table in a text file: sums, sources, sentences.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/names.h"
#include "base/real_math.h"
#include "data/formats/csv.h"
#include "data/formats/csv_format.h"

namespace gopnet {
namespace {

bool IsSumWord(std::string_view field) {
  constexpr std::string_view kWords[] = {"total",       "totals",        "grand total",
                                         "sum",         "gesamt",        "summe",
                                         "gesamtsumme", "insgesamt",     "somme",
                                         "totale",      "suma",          "totaal",
                                         "average",     "mean",          "mittelwert",
                                         "moyenne",     "total general", "total g\u00e9n\u00e9ral"};
  std::string word = Lowered(field);
  while (word.ends_with(':') || word.ends_with(' ')) word.pop_back();
  return std::ranges::count(kWords, word) > 0;
}

// The sum of a column.
class ColumnSum {
 public:
  explicit ColumnSum(char decimal) : decimal_(decimal) {}

  void Add(const std::string& field) {
    double value;
    if (!Read(field, &value)) return;
    sum_ += value;
    most_ = std::max(most_, std::fabs(value));
    ++count_;
  }

  // Whether the field is the sum, up to rounding, and larger than each of the numbers.
  bool Matches(const std::string& field) const {
    constexpr size_t kEnough = 3;
    double total;
    if (count_ < kEnough || !Read(field, &total) || std::fabs(total) <= most_) return false;
    const size_t point = field.find(decimal_);
    const size_t last = field.find_last_of("0123456789");
    const size_t places = point == std::string::npos || last < point ? 0 : last - point;
    const double half = 0.5 * real::Power(0.1, static_cast<unsigned>(places));
    const double rounded = half * (1 + std::sqrt(static_cast<double>(count_)));
    return std::fabs(total - sum_) <= rounded + 1e-9 * std::fabs(sum_);
  }

 private:
  bool Read(const std::string& field, double* value) const {
    return ParseNumberField(field, {decimal_, UnitOf(field)}, value) == FieldKind::kNumber;
  }

  char decimal_;
  double sum_ = 0, most_ = 0;
  size_t count_ = 0;
};

// The last line of a text and the rows above it.
class LastLine {
 public:
  explicit LastLine(const TableText& table) : table_(table), begin_(table.text.rfind('\n') + 1) {
    const std::string_view line = table.text.substr(begin_);
    if (std::ranges::count(line, '"') % 2 != 0) return;  // the end of a longer row
    fields_ = TryRow(line, table.separator, table.source);
    while (first_ < fields_.size() && fields_[first_].empty()) ++first_;
    if (first_ == fields_.size() || fields_.size() > table.width) fields_.clear();
  }

  size_t begin() const { return begin_; }

  // A sentence, or a sum of the rows above.
  bool IsNote() const {
    const bool full = fields_.size() == table_.width;
    if (fields_.empty() || (full && table_.all_rows)) return false;
    const std::string& word = fields_[first_];
    if (!IsWord(word)) return full && first_ > 0 && SumsUp();
    if (IsSumWord(word)) return !full || !IsCategory(word);
    const auto blanks = static_cast<size_t>(std::ranges::count(fields_, std::string()));
    return blanks + 1 == fields_.size() && word.find_first_of(" :") != std::string::npos;
  }

  // A sum that is as long as a row.
  bool IsFullSum() const {
    if (fields_.empty() || fields_.size() != table_.width) return false;
    const std::string& word = fields_[first_];
    return IsWord(word) ? IsSumWord(word) && !IsCategory(word) : first_ > 0 && SumsUp();
  }

 private:
  // Whether is_so holds for all rows above; false if a row cannot be parsed.
  template <class IsSo>
  bool All(const IsSo& is_so) const try {
    CsvCursor cursor(table_.text.substr(0, begin_), table_.separator, table_.source);
    if (table_.named && !cursor.done()) cursor.SkipRow();
    while (!cursor.done()) {
      if (!is_so(cursor.TakeRow())) return false;
    }
    return true;
  } catch (const Error&) {
    return false;
  }

  // Other rows have the word in its place, or rows trained on had it.
  bool IsCategory(const std::string& word) const {
    if (table_.like) {
      for (const Column& column : table_.like->columns) {
        if (std::ranges::count(column.categories, word) > 0) return true;
      }
    }
    return !All([&](const Record& row) { return row.size() <= first_ || row[first_] != word; });
  }

  // The first field is blank here and in no other row, and a number is the sum of its column.
  bool SumsUp() const {
    std::vector<ColumnSum> sums(fields_.size(), ColumnSum(table_.decimal));
    const bool apart = All([&](const Record& row) {
      for (size_t c = 0; c < std::min(row.size(), sums.size()); ++c) sums[c].Add(row[c]);
      return !row[0].empty();
    });
    for (size_t c = 0; c < sums.size(); ++c) {
      if (apart && sums[c].Matches(fields_[c])) return true;
    }
    return false;
  }

  const TableText& table_;
  size_t begin_;
  Record fields_;     // empty if the line ends a longer row, or is too long
  size_t first_ = 0;  // of the fields that are not blank
};

std::string_view WithoutEnd(std::string_view line) {
  return line.substr(0, line.find_last_not_of("\r ") + 1);
}

}  // namespace

Notes NotesBelow(const TableText& table) {
  constexpr size_t kMost = 10;
  Notes notes;
  TableText rest = table;
  while (notes.lines < kMost && table.width > 1) {
    const LastLine last(rest);
    const std::string_view line = rest.text.substr(last.begin());
    if (last.begin() == 0) break;
    const bool blank = line.find_first_not_of(" \t\r,;|") == std::string_view::npos;
    if (!(blank && notes.lines > 0) && !last.IsNote()) break;
    ++notes.lines;
    if (!blank) notes.first = WithoutEnd(line);
    rest.text = rest.text.substr(0, last.begin() - 1);
  }
  notes.size = table.text.size() - rest.text.size();
  return notes;
}

std::string SumBelow(const TableText& table) {
  const LastLine last(table);
  const bool sum = table.width > 1 && last.IsFullSum();
  return std::string(sum ? WithoutEnd(table.text.substr(last.begin())) : "");
}

}  // namespace gopnet

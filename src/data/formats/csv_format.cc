#include "data/formats/csv_format.h"

#include <algorithm>

#include "base/check.h"
#include "data/column_hints.h"
#include "data/formats/csv.h"

namespace gopnet {
namespace {

constexpr size_t kSampleFields = 10'000;
constexpr char kSettles[] = "use --decimal , or --decimal . to choose";

// How the numbers of all columns are written.
struct AllSigns {
  size_t commas = 0, points = 0, both = 0;  // clear ones ...
  size_t groups = 0, dots = 0;              // ... and those such as 1,234 and 1.234
  size_t plain = 0;                         // whole numbers beside such as 1,234
  std::string example, dotted, mixed, only_comma, only_point;

  AllSigns(const std::vector<Record>& records, bool new_rows) {
    const size_t first = std::ranges::all_of(records[0], IsValue) ? 0 : 1;  // no names
    for (size_t c = 0; c < records.back().size(); ++c) {
      DecimalSigns signs;
      for (size_t i = first; i < records.size(); ++i) {
        if (c < records[i].size()) signs.Add(records[i][c]);
      }
      if (signs.IsNumbers()) Add(signs, new_rows);
    }
  }

  bool any() const { return commas + points + groups + dots + both > 0; }

 private:
  void Add(const DecimalSigns& signs, bool new_rows) {
    commas += signs.comma;
    points += signs.point;
    both += signs.both;
    groups += signs.comma_groups;
    dots += signs.point_groups;
    if (signs.comma_groups > 0) plain += signs.whole;
    if (!signs.example.empty()) example = signs.example;
    if (!signs.only_comma.empty()) only_comma = signs.only_comma;
    if (!signs.only_point.empty()) only_point = signs.only_point;
    const bool mixes = signs.whole > 0 && signs.point_groups >= (new_rows ? 5 : 2);  // no accident
    if (signs.point_groups > 0) (mixes ? mixed : dotted) = signs.point_example;
  }
};

std::string TwoReadings(const std::string& field, const char* sign) {
  return Join("'", Shown(field), "' may have a decimal ", sign, " or a thousands separator");
}

// New rows have the decimal sign of the training data unless most of them cannot have it.
char DecimalOfModel(const AllSigns& signs, bool comma, std::vector<TableGuess>* guesses) {
  const size_t against = comma ? signs.points + signs.both : signs.commas;
  const size_t fitting = comma ? signs.groups + signs.dots : signs.groups;
  const auto guess = [&](const std::string& text) { guesses->push_back({text, kSettles, true}); };
  if (against > 0) {
    const bool other = against > fitting;
    const char* trained = comma ? "comma" : "point";
    guess(Join("'", Shown(comma ? signs.only_point : signs.only_comma), "' has a decimal ",
               comma ? "point" : "comma", ", but the training data has a decimal ", trained,
               "; the numbers are read with a decimal ", other == comma ? "point" : "comma"));
    return other == comma ? '.' : ',';
  }
  const std::string& point = signs.mixed.empty() ? signs.dotted : signs.mixed;
  if (comma && !point.empty() && signs.groups == 0) {
    guess(TwoReadings(point, "point") + "; it is read with a thousands separator, as in training");
  } else if (!comma && signs.points + signs.both == 0 && signs.groups > 0) {
    guess(TwoReadings(signs.example, "comma") + "; it is read with a thousands separator");
  } else if (!comma && signs.points + signs.both == 0 && !signs.mixed.empty()) {
    guess(TwoReadings(signs.mixed, "point") + "; it is read with a decimal point, as in training");
  }
  return comma ? ',' : '.';
}

// Throws Error if both signs are possible and give different numbers.
char FindDecimal(const std::vector<Record>& records, char separator, const std::string& path,
                 const Schema* like, std::vector<TableGuess>* guesses, bool* told) {
  const AllSigns signs(records, like != nullptr);
  const bool clear = signs.points + signs.both > 0;
  Check(signs.commas == 0 || !clear, path, ": has numbers with decimal commas ('",
        Shown(signs.example), "') and others with decimal points; ", kSettles);
  *told = signs.any();
  if (like) return DecimalOfModel(signs, like->decimal_comma, guesses);
  if (signs.commas > 0) return ',';
  const bool unclear = signs.groups > 0 && !clear && signs.plain == 0 && separator != ',';
  Check(!unclear, path, ": ", TwoReadings(signs.example, "comma"), "; ", kSettles);
  if (clear) return '.';
  Check(signs.mixed.empty(), path, ": ", TwoReadings(signs.mixed, "point"), "; ", kSettles);
  const auto guess = [&](const std::string& text) { guesses->push_back({text, kSettles, true}); };
  if (signs.groups > 0)
    guess(TwoReadings(signs.example, "comma") + "; it is read with a thousands separator");
  else if (!signs.dotted.empty())
    guess(TwoReadings(signs.dotted, "point") + "; it is read with a decimal point");
  return '.';
}

ColumnHint HintOfColumn(const std::vector<Record>& records, size_t first, size_t column,
                        char decimal) {
  std::vector<std::string_view> fields;
  for (size_t i = first; i < records.size(); ++i) {
    if (column < records[i].size()) fields.push_back(records[i][column]);
  }
  return HintOf(fields, decimal);
}

// Tables from R with row names: every row has one field more than the header.
bool HasShortHeader(const std::vector<Record>& records) {
  const Record& first = records[0];
  return records.size() > 2 && AllText(first) &&
         std::all_of(records.begin() + 1, records.end(),
                     [&](const Record& r) { return r.size() == first.size() + 1; });
}

// Whether the blank last field of new rows may be the unknown target.
bool MayBeTarget(const Record& first, const Schema& like) {
  const size_t known =
      like.columns.size() + like.left_out.size() + std::max<size_t>(1, like.targets.size());
  return first.size() <= known && !(like.named && RepeatsNames(first, like));
}

// All rows end in a separator, and there is no name for a last column.
bool HasTrailing(const std::vector<Record>& records, const Hints& hints) {
  const Record& first = records[0];
  const size_t width = records.back().size();
  const bool rows = std::all_of(records.begin() + 1, records.end(), [&](const Record& r) {
    return r.size() > 1 && r.back().empty() && r.size() == width;
  });
  if (!rows) return false;
  if (first.size() + 1 == width) return true;
  if (first.size() != width || !first.back().empty() || width < 3) return false;
  return hints.like ? !MayBeTarget(first, *hints.like) : records.size() > 1;
}

// Removes trailing blank fields from all records; returns how many.
size_t CutTrailing(const Hints& hints, std::vector<Record>* records) {
  size_t trailing = 0;
  for (; HasTrailing(*records, hints); ++trailing) {
    const size_t width = records->back().size();
    for (Record& record : *records) record.resize(std::min(record.size(), width - 1));
  }
  return trailing;
}

size_t CountRows(std::string_view text, char separator, const std::string& source) {
  CsvCursor cursor(text, separator, source);
  size_t rows = 0;
  for (; !cursor.done(); ++rows) cursor.SkipRow();
  return rows;
}

// Some rows from `begin` on that have a comma between digits.
std::vector<Record> RowsWithCommas(std::string_view text, size_t begin, char separator,
                                   const std::string& path, size_t width) {
  std::vector<Record> rows;
  const auto digit = [&](size_t at) { return text[at] >= '0' && text[at] <= '9'; };
  size_t at = text.find(',', begin);
  for (size_t tries = 0; tries < kSampleRows && at != std::string_view::npos; ++tries) {
    const size_t end = std::min(text.size(), text.find('\n', at));
    if (at + 1 < end && at > begin && digit(at - 1) && digit(at + 1)) {
      const size_t line = std::max(begin, text.rfind('\n', at) + 1);
      Record row = TryRow(text.substr(line, end - line), separator, path);
      if (row.size() == width) rows.push_back(std::move(row));
      at = end;
    }
    at = text.find(',', at + 1);
  }
  return rows;
}

// If the first rows hold only whole numbers, looks for later rows with commas.
char DecimalOf(std::string_view text, const std::string& path, const Hints& hints, char separator,
               std::vector<Record> records, size_t trailing, std::vector<TableGuess>* guesses) {
  bool told = false;
  const char decimal = FindDecimal(records, separator, path, hints.like, guesses, &told);
  if (told || hints.like || separator == ',' || separator == ' ') return decimal;
  CsvCursor cursor(text, separator, path);
  for (size_t i = 0; i < records.size(); ++i) cursor.SkipRow();
  const auto begin = static_cast<size_t>(cursor.at() - text.data());
  const size_t width = records.back().size() + trailing;
  for (Record& row : RowsWithCommas(text, begin, separator, path, width))
    records.push_back(std::move(row));
  return FindDecimal(records, separator, path, nullptr, guesses, &told);
}

}  // namespace

std::vector<Record> Sample(std::string_view text, char separator, const std::string& source,
                           size_t most) {
  if (separator == ' ') return Sample(BlanksToTabs(Head(text)), '\t', source, most);
  std::vector<Record> records;
  CsvCursor cursor(text, separator, source);
  size_t fields = 0;
  while (!cursor.done() && records.size() < most &&
         (fields < kSampleFields || records.size() < 2)) {
    records.emplace_back();
    do {
      if (records.size() > 1 && records.back().size() > records[0].size() + 1) {
        cursor.SkipRow();  // it will be an error in its place
        break;
      }
      CheckColumns(records.back().size() + 1, source);
      records.back().emplace_back(cursor.Take());
    } while (!cursor.EndField());
    fields += records.back().size();
  }
  return records;
}

std::string BlanksToTabs(std::string_view text) {
  std::string tabs;
  tabs.reserve(text.size());
  bool quoted = false, blank = false;
  for (const char c : text) {
    quoted ^= c == '"';
    const bool inner = quoted || c == '"';
    if (!inner && (c == ' ' || c == '\t' || c == '\r')) {
      blank = true;
      continue;
    }
    const bool line_start = tabs.empty() || tabs.back() == '\n';
    if (blank && !line_start && c != '\n') tabs += '\t';
    blank = false;
    tabs += c;
  }
  return tabs;
}

CsvFormat FindFormat(std::string_view text, const std::string& path, const Hints& hints) {
  CsvFormat format;
  format.separator = hints.separator != 0 ? hints.separator : FindSeparator(text, path, hints.like);
  std::vector<Record> records = Sample(text, format.separator, path);
  Check(!records.empty(), path, ": is empty");
  if (format.separator != ' ') format.trailing = CutTrailing(hints, &records);
  format.decimal = hints.decimal != 0 ? hints.decimal
                                      : DecimalOf(text, path, hints, format.separator, records,
                                                  format.trailing, &format.guesses);
  if (hints.decimal == 0 && format.decimal == ',' && !hints.like)
    format.guesses.push_back(
        {"the numbers are read with decimal commas", "use --decimal , to confirm"});
  const bool unnamed = hints.like && !hints.like->named;
  format.short_header = hints.header.value_or(!unnamed) && HasShortHeader(records);
  const size_t rows = hints.rows ? CountRows(text, format.separator, path) : 0;
  format.header =
      format.short_header ||
      (hints.header ? *hints.header
                    : HasHeader(records, hints, path, format.decimal, rows, &format.guesses));
  const size_t first = format.header && records.size() > 1 ? 1 : 0;
  for (size_t c = 0; c < records[0].size() + (format.short_header ? 1 : 0); ++c)
    format.columns.push_back(HintOfColumn(records, first, c, format.decimal));
  return format;
}

}  // namespace gopnet

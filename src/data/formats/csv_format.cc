#include "data/formats/csv_format.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/check.h"
#include "data/dates.h"
#include "data/formats/csv.h"

namespace gopnet {
namespace {

constexpr size_t kSampleRows = 1000;
constexpr size_t kFewRows = 100;  // are enough to find the separator
constexpr size_t kSampleFields = 10'000;
constexpr double kMostFields = 0.95;  // of a column's fields decide what it holds

bool IsTsv(const std::string& path) { return LowerCase(path).find(".tsv") != std::string::npos; }

// Few rows of a very wide file, but two at least.
std::vector<Record> Sample(std::string_view text, char separator, const std::string& source,
                           size_t most = kSampleRows) {
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

// A number as people write it or a date, which no separator has cut apart.
bool IsWhole(const std::string& field) {
  double ignored;
  const std::string_view unit = UnitOf(field);
  return KindOf(field) != FieldKind::kText ||
         ParseNumberField(field, {'.', unit}, &ignored) == FieldKind::kNumber ||
         ParseNumberField(field, {',', unit}, &ignored) == FieldKind::kNumber ||
         LooksLikeDate(field);
}

// "5.0   4   95.0"
bool AreNumbers(std::string_view field) {
  bool some = false;
  while (!field.empty()) {
    const size_t end = std::min(field.size(), field.find(' '));
    if (KindOf(field.substr(0, end)) != FieldKind::kNumber) return false;
    some = true;
    field = TrimSpaces(field.substr(end));
  }
  return some;
}

constexpr std::string_view kSeparators = ",;\t| ";

// What comes of the first rows if they are cut at a separator.
struct Cut {
  char separator = 0;
  size_t width = 0;         // of all rows but the first, which may lack a name
  bool in_first = false;    // the first row has it, too
  double share = 0;         // of the fields that are numbers or dates
  std::string inside = {};  // other separators within the other fields

  // Between tabs, texts may well have blanks.
  void LookInside(const std::string& field) {
    for (const char other : kSeparators) {
      const bool there = field.find(other) != std::string::npos;
      const bool fine = other == ' ' && separator == '\t' && !AreNumbers(field);
      if (there && !fine && inside.find(other) == std::string::npos) inside += other;
    }
  }
  // Another cut is the better one if text is left uncut here, but none there.
  bool IsCoarse(const std::vector<Cut>& cuts) const {
    return std::ranges::any_of(cuts, [&](const Cut& other) {
      return inside.find(other.separator) != std::string::npos &&
             other.inside.find(separator) == std::string::npos;
    });
  }
};

// Nothing if the rows are not of one length.
std::optional<Cut> TryCut(std::string_view text, char separator, const std::string& source) try {
  const std::string tabs = separator == ' ' ? BlanksToTabs(text) : "";
  const std::vector<Record> records = separator == ' ' ? Sample(tabs, '\t', source, kFewRows)
                                                       : Sample(text, separator, source, kFewRows);
  if (records.empty()) return {};
  const size_t first = records[0].size();
  Cut cut{separator, records.back().size(), first > 1};
  size_t fields = 0, numbers = 0;
  if (cut.width < 2 || (first != cut.width && first + 1 != cut.width)) return {};
  for (size_t i = records.size() > 1 ? 1 : 0; i < records.size(); ++i) {
    if (records[i].size() != cut.width) return {};
    for (const std::string& field : records[i]) {
      if (field.empty()) continue;
      ++fields;
      const bool whole = IsWhole(field);
      numbers += whole;
      if (!whole) cut.LookInside(field);
    }
  }
  cut.share = fields > 0 ? static_cast<double>(numbers) / static_cast<double>(fields) : 0;
  return cut;
} catch (const Error&) {  // quotes that go with another separator
  return {};
}

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

// The first of these that is outside of quotes in the first line.
char FirstPresent(std::string_view line, std::string_view separators) {
  std::string outside;
  bool quoted = false;
  for (const char c : line) {
    quoted ^= c == '"';
    if (!quoted) outside += c;
  }
  for (const char c : separators) {
    if (outside.find(c) != std::string::npos) return c;
  }
  return separators.front();
}

// A head of the text for a look at blanks, which needs a copy.
std::string_view Head(std::string_view text) {
  constexpr size_t kHead = 1 << 18;
  if (text.size() <= kHead) return text;
  const size_t end = text.rfind('\n', kHead);
  return end == std::string_view::npos ? text : text.substr(0, end);
}

// The cuts to choose from, in `order`: those that the first row has, too, if there are any; and
// blanks if half of the fields are numbers then, unless tabs do as well.
std::vector<Cut> FindCuts(std::string_view text, std::string_view order, const std::string& path) {
  const std::string_view head = Head(text);
  std::vector<Cut> cuts;
  for (const char separator : order) {
    if (head.find(separator) == std::string_view::npos) continue;
    if (const auto cut = TryCut(text, separator, path)) cuts.push_back(*cut);
  }
  const auto has = [&](auto what) { return std::ranges::any_of(cuts, what); };
  if (has(&Cut::in_first)) std::erase_if(cuts, [](const Cut& cut) { return !cut.in_first; });
  if (FirstLine(head).find_first_of(" \t") == std::string_view::npos) return cuts;
  const bool tabs = has([](const Cut& cut) {
    return cut.separator == '\t' && cut.inside.find(' ') == std::string::npos;
  });
  const auto blanks = TryCut(head, ' ', path);
  if (blanks && !tabs && blanks->share >= 0.5) cuts.push_back(*blanks);
  return cuts;
}

char FindSeparator(std::string_view text, const std::string& path, const Schema* like) {
  std::string order = IsTsv(path) ? "\t,;|" : ",;\t|";
  const bool one_with_comma = like && like->decimal_comma && like->columns.size() == 1;
  if (one_with_comma) std::erase(order, ',');  // 1,5 alone in its row
  const std::vector<Cut> cuts = FindCuts(text, order, path);
  const Cut* best = nullptr;
  for (const Cut& cut : cuts) {
    if (cut.IsCoarse(cuts)) continue;
    if (!best || cut.share > best->share) best = &cut;
  }
  return best ? best->separator : FirstPresent(FirstLine(text), order);
}

struct DecimalSigns {
  size_t fields = 0, whole = 0;  // whole: digits only
  size_t comma = 0, comma_groups = 0, point = 0, point_groups = 0, both = 0;
  std::string example;        // with a comma
  std::string point_example;  // of point_groups

  void Add(const std::string& given) {
    if (KindOf(given) == FieldKind::kMissing) return;
    ++fields;
    const std::string field(WithoutSigns(given, UnitOf(given)));
    if (field.find(',') == std::string::npos) return AddWithoutComma(field);
    const bool groups = HasThousands(field, ',');
    if (groups && (field.find('.') != std::string::npos || field.find(',') != field.rfind(','))) {
      ++both;
    } else if (groups) {
      ++comma_groups;
    } else if (HasDecimal(field, ',')) {
      ++comma;
    }
    if ((groups || comma > 0) && example.empty()) example = field;
  }
  void AddWithoutComma(const std::string& field) {
    const size_t at = field.find('.');
    const bool groups = at != std::string::npos && HasThousands(field, '.');
    if (groups && field.find('.', at + 1) != std::string::npos) {  // 1.234.567
      ++comma;
      example = field;
    } else if (groups && field.find_first_of("123456789") < at) {  // 0.234 is no thousands
      ++point_groups;
      point_example = field;
    } else if (KindOf(field) == FieldKind::kNumber) {
      ++(at == std::string::npos ? whole : point);
    }
  }
  bool IsNumbers() const {
    return static_cast<double>(whole + comma + comma_groups + point + point_groups + both) >=
           kMostFields * static_cast<double>(fields);
  }
};

// Throws Error where both signs would do and give different numbers.
char FindDecimal(const std::vector<Record>& records, char separator, const std::string& path,
                 const Schema* like, std::vector<TableGuess>* guesses, bool* told) {
  size_t commas = 0, points = 0, groups = 0, plain = 0, both = 0;
  std::string example, dotted, mixed;
  for (size_t c = 0; c < records.back().size(); ++c) {
    DecimalSigns signs;
    for (size_t i = std::ranges::all_of(records[0], IsWhole) ? 0 : 1; i < records.size(); ++i) {
      if (c < records[i].size()) signs.Add(records[i][c]);
    }
    if (!signs.IsNumbers()) continue;
    commas += signs.comma;
    points += signs.point;
    groups += signs.comma_groups;
    both += signs.both;
    if (signs.comma_groups > 0) plain += signs.whole;
    if (!signs.example.empty()) example = signs.example;
    const bool mixes = signs.whole > 0 && signs.point_groups >= (like ? 5 : 2);  // no accident
    if (signs.point_groups > 0) (mixes ? mixed : dotted) = signs.point_example;
  }
  Check(commas == 0 || points + both == 0, path, ": has numbers with decimal commas ('",
        Shown(example),
        "') and with decimal points; --decimal , or --decimal . says which to read");
  *told = commas + points + groups + both > 0 || !dotted.empty() || !mixed.empty();
  if (commas > 0) return ',';
  const bool unclear = groups > 0 && points + both + plain == 0 && separator != ',';
  const auto two = [](const std::string& field, const char* sign) {
    return Join("'", Shown(field), "' may be read as a number with a decimal ", sign,
                " or with a thousands separator");
  };
  const char* settles = "--decimal , or --decimal .";
  if (like && like->decimal_comma && points + both == 0) {
    const std::string& point = mixed.empty() ? dotted : mixed;
    if (!point.empty() && groups == 0)
      guesses->push_back({two(point, "point") + ", the latter as in training", settles, true});
    return ',';
  }
  Check(!unclear, path, ": ", two(example, "comma"), "; ", settles, " says which");
  if (points + both > 0) return '.';
  Check(mixed.empty(), path, ": ", two(mixed, "point"), "; ", settles, " says which");
  if (groups > 0)
    guesses->push_back({two(example, "comma") + ", which it is taken for", settles, true});
  if (!dotted.empty() && groups == 0 && !like)
    guesses->push_back({two(dotted, "point") + "; it is taken for the former", settles, true});
  return '.';
}

ColumnHint HintOf(const std::vector<Record>& records, size_t first, size_t column, char decimal) {
  std::vector<std::string_view> texts;
  for (size_t i = first; i < records.size(); ++i) {
    if (column < records[i].size()) texts.push_back(records[i][column]);
  }
  const std::string unit = CommonUnit(texts);
  size_t fields = 0, numbers = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::string_view text : texts) {
    double value;
    const FieldKind kind = ParseNumberField(text, {decimal, unit}, &value);
    if (kind == FieldKind::kMissing) continue;
    ++fields;
    numbers += kind != FieldKind::kText;  // an infinite one is an error in its place
    if (kind != FieldKind::kNumber) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double most = kMostFields * static_cast<double>(fields);
  const bool is_text = static_cast<double>(numbers) < most;
  return {is_text, fields == 0, low <= high && IsFar(low, high), is_text ? "" : unit};
}

std::vector<Record> TextSample(std::string_view text, char separator, const std::string& path) {
  if (separator != ' ') return Sample(text, separator, path);
  return Sample(BlanksToTabs(Head(text)), '\t', path);
}

// As R writes tables with names of rows: all rows have one field more than the names above them.
bool HasShortHeader(const std::vector<Record>& records) {
  const Record& first = records[0];
  return records.size() > 2 &&
         std::all_of(first.begin(), first.end(),
                     [](const std::string& f) { return KindOf(f) == FieldKind::kText; }) &&
         std::all_of(records.begin() + 1, records.end(),
                     [&](const Record& r) { return r.size() == first.size() + 1; });
}

// Whether the last field of new rows, which is blank, may be a target that nobody knows yet.
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

size_t CountRows(std::string_view text, char separator, const std::string& source) {
  CsvCursor cursor(text, separator, source);
  size_t rows = 0;
  for (; !cursor.done(); ++rows) cursor.SkipRow();
  return rows - 1;  // but for the first
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
      try {
        std::vector<Record> row = Sample(text.substr(line, end - line), separator, path, 1);
        if (row.size() == 1 && row[0].size() == width) rows.push_back(std::move(row[0]));
      } catch (const Error&) {  // a line break within quotes
      }
      at = end;
    }
    at = text.find(',', at + 1);
  }
  return rows;
}

// Where the first rows hold whole numbers only, those with commas behind them tell.
char DecimalOf(std::string_view text, const std::string& path, const Hints& hints, char separator,
               std::vector<Record> records, std::vector<TableGuess>* guesses) {
  bool told = false;
  const char decimal = FindDecimal(records, separator, path, hints.like, guesses, &told);
  if (told || hints.like || separator == ',' || separator == ' ') return decimal;
  CsvCursor cursor(text, separator, path);
  for (size_t i = 0; i < records.size(); ++i) cursor.SkipRow();
  const auto begin = static_cast<size_t>(cursor.at() - text.data());
  for (Record& row : RowsWithCommas(text, begin, separator, path, records.back().size()))
    records.push_back(std::move(row));
  return FindDecimal(records, separator, path, nullptr, guesses, &told);
}

}  // namespace

std::string WithoutTrailing(std::string_view text, char separator, const std::string& source,
                            size_t first_line) {
  std::string shorter;
  shorter.reserve(text.size());
  CsvCursor cursor(text, separator, source, first_line);
  while (!cursor.done()) {
    const char* row = cursor.at();
    const char *last = row, *end = row;  // of its last field
    bool blank = false;
    do {
      last = cursor.at();
      blank = cursor.Take().empty();
      end = cursor.at();
    } while (!cursor.EndField());
    shorter.append(row, blank && last != row ? last - 1 : end) += '\n';
  }
  shorter.pop_back();
  return shorter;
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
  const std::vector<Record> records = TextSample(text, format.separator, path);
  Check(!records.empty(), path, ": is empty");
  format.trailing = format.separator != ' ' && HasTrailing(records, hints);
  if (format.trailing) return format;  // to be asked again without them
  format.decimal = hints.decimal != 0
                       ? hints.decimal
                       : DecimalOf(text, path, hints, format.separator, records, &format.guesses);
  const bool trained = hints.like && hints.like->decimal_comma;
  if (hints.decimal == 0 && format.decimal == ',' && !trained)
    format.guesses.push_back({"its numbers were taken to have decimal commas", "--decimal ,"});
  format.short_header = hints.header.value_or(true) && HasShortHeader(records);
  const HeaderQuestion question{records,          hints,         path, CountRows, text,
                                format.separator, format.decimal};
  format.header =
      format.short_header || (hints.header ? *hints.header : HasHeader(question, &format.guesses));
  const size_t first = format.header && records.size() > 1 ? 1 : 0;
  for (size_t c = 0; c < records[0].size() + (format.short_header ? 1 : 0); ++c)
    format.columns.push_back(HintOf(records, first, c, format.decimal));
  return format;
}

}  // namespace gopnet

// What stands above and below the table in a text file, as spreadsheets write it: a title, notes,
// blank lines, sums.
#include <algorithm>

#include "base/check.h"
#include "data/formats/csv.h"
#include "data/formats/csv_format.h"

namespace gopnet {
namespace {

constexpr size_t kMostLines = 30;          // in which a table has begun
constexpr size_t kMostLineFields = 10000;  // to look at

struct Line {
  Record fields;
  size_t end = 0;    // in the text
  size_t known = 0;  // fields that are not blank ...
  size_t first = 0;  // ... and the first of them
};

bool IsWord(const std::string& field) { return !field.empty() && !IsValue(field); }

std::vector<Line> FirstLines(std::string_view text, char separator, const std::string& source) try {
  std::vector<Line> lines;
  CsvCursor cursor(text, separator, source);
  for (size_t fields = 0;
       !cursor.done() && lines.size() < kMostLines && fields < kMostLineFields;) {
    Line line;
    line.fields = cursor.TakeRow();
    for (size_t c = 0; c < line.fields.size(); ++c) {
      if (!line.fields[c].empty() && line.known++ == 0) line.first = c;
    }
    line.end = static_cast<size_t>(cursor.at() - text.data());
    fields += line.fields.size();
    lines.push_back(std::move(line));
  }
  return lines;
} catch (const Error&) {  // quotes that go with another separator
  return {};
}

// Names of columns, but perhaps for the first, with a value below one of them.
bool IsHeader(const std::vector<Line>& lines, size_t at, size_t width) {
  if (at + 1 >= lines.size() || lines[at].fields.size() != width) return false;
  const Record& names = lines[at].fields;
  return std::all_of(names.begin() + (names[0].empty() ? 1 : 0), names.end(), IsWord) &&
         std::ranges::any_of(lines[at + 1].fields,
                             [](const std::string& f) { return !f.empty() && IsValue(f); });
}

// How many of the lines are above the table, if the others are rows of one width.
size_t CountAbove(const std::vector<Line>& lines, size_t width, bool* rows) {
  size_t above = 0;
  const auto is_note = [&](const Line& line) {
    const std::string& first = line.fields[line.first];
    if (first.find_first_of(";\t|") != std::string::npos) return false;  // cut at the wrong place
    const bool sentence = first.find_first_of(" :") != std::string::npos && IsWord(first);
    return line.known == 0 || (line.known == 1 && IsWord(first)) ||
           (sentence && 2 * line.fields.size() <= width);
  };
  while (above < lines.size() && is_note(lines[above])) ++above;
  if (above > 0 && lines[above - 1].fields.size() + 1 >= width && !IsHeader(lines, above, width))
    above = 0;
  *rows = width > 1 && above + 2 <= lines.size();
  for (size_t i = above; i < lines.size(); ++i) {
    const size_t fields = lines[i].fields.size();
    *rows &= fields == width || (i == above && fields + 1 == width);
  }
  return above;
}

bool IsSum(std::string_view field) {
  constexpr std::string_view kWords[] = {"total",       "totals",        "grand total",
                                         "sum",         "gesamt",        "summe",
                                         "gesamtsumme", "insgesamt",     "somme",
                                         "totale",      "suma",          "totaal",
                                         "average",     "mean",          "mittelwert",
                                         "moyenne",     "total general", "total g\u00e9n\u00e9ral"};
  std::string word = LowerCase(field);
  while (word.ends_with(':') || word.ends_with(' ')) word.pop_back();
  return std::ranges::count(kWords, word) > 0;
}

// Whether the last line of the text is no row: a sentence, or a sum of the rows above. `full`: it
// may be as long as a row.
bool IsBelow(std::string_view text, size_t begin, char separator, size_t width, bool full,
             const std::string& source) {
  const std::string_view last = text.substr(begin);
  if (std::ranges::count(last, '"') % 2 != 0) return false;  // the end of a longer row
  const std::vector<Line> lines = FirstLines(last, separator, source);
  if (lines.size() != 1 || lines[0].fields.size() > width) return false;
  const Record& fields = lines[0].fields;
  const std::string& first = fields[lines[0].first];
  if (!IsWord(first)) return false;
  const bool short_one = fields.size() < width;
  if (!short_one && !full) return false;
  if (IsSum(first)) {  // and no category of that name
    const std::string start = (lines[0].first == 0 ? '\n' : separator) + first + separator;
    return short_one || text.find(start) + 1 >= begin;
  }
  return lines[0].known == 1 && (short_one || first.find_first_of(" :") != std::string::npos);
}

}  // namespace

Notes NotesAbove(std::string_view text, const Hints& hints, const std::string& source) {
  const std::string separators = hints.separator != 0 ? std::string{hints.separator} : ",;\t|";
  Notes notes;
  for (const char separator : separators) {
    const std::vector<Line> lines = FirstLines(text, separator, source);
    if (lines.size() < 2) continue;
    size_t width = 0;
    for (const Line& line : lines) width = std::max(width, line.fields.size());
    bool rows = false;
    const size_t above = CountAbove(lines, width, &rows);
    if (rows && above == 0) return {};
    if (!rows || (notes.lines > 0 && notes.lines <= above)) continue;
    notes = {above, lines[above - 1].end, ""};
    for (size_t i = 0; i < above && notes.first.empty(); ++i) {
      for (const std::string& field : lines[i].fields) notes.first += field;
    }
  }
  const auto begin = text.begin();
  notes.lines =
      static_cast<size_t>(std::count(begin, begin + static_cast<ptrdiff_t>(notes.size), '\n'));
  return notes;
}

Notes NotesBelow(std::string_view text, char separator, size_t width, bool full,
                 const std::string& source) {
  Notes notes;
  size_t end = text.size();
  for (constexpr size_t kMost = 10; notes.lines < kMost && width > 1;) {
    const std::string_view rest = text.substr(0, end);
    const size_t begin = rest.rfind('\n') + 1;
    if (begin == 0) break;
    const bool blank = rest.substr(begin).find_first_not_of(" \t\r,;|") == std::string_view::npos;
    if (!(blank && notes.lines > 0) && !IsBelow(rest, begin, separator, width, full, source)) break;
    ++notes.lines;
    if (!blank) notes.first = rest.substr(begin, rest.find_last_not_of("\r ") + 1 - begin);
    end = begin - 1;
  }
  notes.size = text.size() - end;
  return notes;
}

}  // namespace gopnet

// Finds the lines above the table in a text file: a title, notes, blank lines.
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

// How many of the lines are above the table, if the others are rows of one width, perhaps `named`.
size_t CountAbove(const std::vector<Line>& lines, size_t width, bool named, bool* rows) {
  size_t above = 0;
  const auto is_note = [&](const Line& line) {
    const std::string& first = line.fields[line.first];
    if (first.find_first_of(";\t|") != std::string::npos) return false;  // cut at the wrong place
    const bool sentence = first.find_first_of(" :") != std::string::npos && IsWord(first);
    return line.known == 0 || (line.known == 1 && IsWord(first)) ||
           (sentence && 2 * line.fields.size() <= width);
  };
  while (above < lines.size() && is_note(lines[above])) ++above;
  if (above > 0 && lines[above - 1].fields.size() + 1 >= width &&
      !(named && IsHeader(lines, above, width)))
    above = 0;
  *rows = width > 1 && above + 2 <= lines.size();
  for (size_t i = above; i < lines.size(); ++i) {
    const size_t fields = lines[i].fields.size();
    *rows &= fields == width || (i == above && fields + 1 == width);
  }
  return above;
}

// A line that has the names of the data trained on, wherever it is cut.
bool HasKnownNames(std::string_view line, const Hints& hints, const std::string& source) try {
  if (!hints.like || !hints.like->named) return false;
  return std::ranges::any_of(kSeparators, [&](char separator) {
    const std::vector<Record> cut = Sample(line, separator, source, 1);
    const bool one = !cut.empty() && cut[0].size() == 1 && hints.like->columns.size() > 1;
    return !cut.empty() && !one && RepeatsNames(cut[0], *hints.like);
  });
} catch (const Error&) {
  return false;
}

// Lines are above the table only if the rest of the text is cut where they were: blanks may end its
// fields instead, and commas be part of these.
bool AreAbove(std::string_view text, const std::vector<Line>& lines, size_t above, char separator,
              const Hints& hints, const std::string& source) {
  for (size_t i = 0, begin = 0; i < above; begin = lines[i++].end) {
    if (HasKnownNames(text.substr(begin, lines[i].end - begin), hints, source)) return false;
  }
  if (hints.separator != 0) return true;
  return (separator == '\t' || FindSeparator(text, source, hints.like) != ' ') &&
         FindSeparator(text.substr(lines[above - 1].end), source, hints.like) == separator;
}

}  // namespace

Notes NotesAbove(std::string_view text, const Hints& hints, const std::string& source) {
  if (hints.separator == ' ') return {};
  const bool named = !hints.like || hints.like->named;
  const std::string separators = hints.separator != 0 ? std::string{hints.separator} : ",;\t|";
  Notes notes;
  for (const char separator : separators) {
    const std::vector<Line> lines = FirstLines(text, separator, source);
    if (lines.size() < 2) continue;
    size_t width = 0;
    for (const Line& line : lines) width = std::max(width, line.fields.size());
    bool rows = false;
    const size_t above = CountAbove(lines, width, named, &rows);
    const bool names = hints.header.value_or(false) && lines[0].fields.size() == width;
    if (rows && (above == 0 || (names && lines[0].known > 0))) return {};
    if (!rows || (notes.lines > 0 && notes.lines <= above)) continue;
    if (!AreAbove(text, lines, above, separator, hints, source)) continue;
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

}  // namespace gopnet

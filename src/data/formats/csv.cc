// Opens CSV files: byte order mark, delimiter, header. csv_rows.cc reads the rows.
#include "data/formats/csv.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/check.h"
#include "base/names.h"
#include "base/pipes.h"
#include "data/field.h"
#include "data/formats/zip.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

// A binary file can be one line of gigabytes. Checks only one line in every 64 MB.
void CheckLineLength(std::string_view text, const std::string& path) {
  while (text.size() > kMostLine) {
    const size_t end = text.substr(0, kMostLine).rfind('\n');
    Check(end != std::string_view::npos, path,
          ": a line is longer than 64 MB; lines must be shorter and end in LF");
    text.remove_prefix(end + 1);
  }
}

// A failed download may leave a web page, which would be split at its commas.
void CheckTable(std::string_view text, const std::string& path) {
  const std::string start = Lowered(text.substr(0, 16));
  for (const char* mark : {"<!doctype", "<html", "<?xml", "<table"})
    Check(!start.starts_with(mark), path, ": is a web page (HTML or XML), not a table");
  for (const char* mark : {"{\"", "[{", "{\n", "{\r\n"})
    Check(!start.starts_with(mark), path, ": is JSON, not a table");
}

void CheckNoZero(std::string_view text, const std::string& path, size_t first_line) {
  const size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return;
  const auto lines = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(zero), '\n');
  Fail(path, ": line ", first_line + static_cast<size_t>(lines),
       " contains a zero byte; expected UTF-8 text, found UTF-16 or binary data",
       zero <= 1 && first_line == 1 ? HowToConvert(zero == 1 ? "UTF-16LE" : "UTF-16BE", path) : "");
}

std::string_view Content(std::string_view text, const std::string& path) {
  CheckLineLength(text, path);
  Check(!text.starts_with("\xff\xfe") && !text.starts_with("\xfe\xff"), path,
        ": is UTF-16 text; expected UTF-8", HowToConvert("UTF-16", path));
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  CheckTable(text, path);
  CheckNoZero(text, path, 1);
  const size_t last = text.find_last_not_of(" \r\n");  // blank lines at the end
  Check(last != std::string_view::npos, path, ": is empty");
  text = text.substr(0, last + 1);
  Check(text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos,
        path, ": the lines end in CR only; expected LF or CRLF");
  return text;
}

std::string SeparatorName(char separator) {
  constexpr std::pair<char, const char*> kNames[] = {
      {',', "comma"}, {';', "semicolon"}, {'\t', "tab"}, {' ', "blanks"}};
  for (const auto& [sign, name] : kNames) {
    if (sign == separator) return name;
  }
  return {separator};
}

// "# a b", not "#ff0000": surely a comment, unless a model knows it.
bool IsApart(std::string_view line) {
  return line.size() == 1 || std::string_view(" \t\r#!").find(line[1]) != line.npos;
}

// Whether the line begins with a category of the model.
bool IsKnown(std::string_view line, const Schema* like) {
  const auto begins = [&](const std::string& text) {
    if (!text.starts_with('#') || !line.starts_with(text)) return false;
    return line.size() == text.size() ||
           std::string_view(",;\t| \r").find(line[text.size()]) != line.npos;
  };
  return like && std::ranges::any_of(like->columns, [&](const Column& column) {
           return std::ranges::any_of(column.categories, begins);
         });
}

// "line 1 ('#ff0000,1') starts", "3 lines, the first of them line 1 ('#ff0000,1'), start".
std::string ShownLines(const std::vector<HashLine>& lines) {
  const std::string first = Join("line ", lines[0].number, " ('", Shown(lines[0].text), "')");
  if (lines.size() == 1) return first + " starts";
  return Join(lines.size(), " lines, the first of them ", first, ", start");
}

}  // namespace

std::string_view CsvCursor::Take() {
  while (at_ != end_ && *at_ == ' ') ++at_;
  if (at_ != end_ && *at_ == '"') return TakeQuoted();
  const char* begin = at_;
  while (!AtBreak(at_)) ++at_;
  return TrimSpaces({begin, static_cast<size_t>(at_ - begin)});
}

std::string_view CsvCursor::TakeQuoted() {
  const size_t first_line = line_;
  unquoted_.clear();
  for (;;) {
    const char* begin = ++at_;
    while (at_ != end_ && *at_ != '"') line_ += *at_++ == '\n';
    Check(at_ != end_, source_, ": line ", first_line, ": a quote (\") is never closed");
    unquoted_.append(begin, at_++);
    if (at_ == end_ || *at_ != '"') break;
    unquoted_ += '"';  // two quotes stand for one
  }
  while (at_ != end_ && *at_ == ' ') ++at_;
  Check(AtBreak(at_), source_, ": line ", line_, ": unexpected text after a closing quote (\")");
  return unquoted_;
}

Record CsvCursor::TakeRow() {
  Record fields;
  do {
    CheckColumns(fields.size() + 1, source_);
    fields.emplace_back(Take());
  } while (!EndField());
  return fields;
}

Record TryRow(std::string_view line, char separator, const std::string& source) try {
  return CsvCursor(line, separator, source).TakeRow();
} catch (const Error&) {
  return {};
}

size_t CsvCursor::SkipRow() {
  size_t fields = 0;
  do {
    Take();
    ++fields;
  } while (!EndField());
  return fields;
}

CsvTable::CsvTable(const FileBytes& file, const Hints& hinted)
    : text_(Content(file.bytes, file.path)), owner_(file.owner), first_line_(hinted.first_line) {
  source = file.path;
  Hints given = hinted;
  SkipComments(given);
  TakeSeparatorLine(&given);
  const Notes above = NotesAbove(text_, given, source);
  text_.remove_prefix(above.size);
  AddNotes(above, first_line_);
  first_line_ += above.lines;
  table_line_ = first_line_;
  CsvFormat format = FindFormat(text_, source, given);
  trailing_ = format.trailing;
  delimiter_ = format.separator;
  separator = SeparatorName(format.separator);
  if (!format.header) TakeRowsBack(given, format.columns.size());
  if (delimiter_ == ' ') {
    SetTabs();
    delimiter_ = '\t';
  }
  named = format.header;
  decimal = format.decimal;
  hints = std::move(format.columns);
  guesses.insert(guesses.end(), format.guesses.begin(), format.guesses.end());
  names = DefaultNames(hints.size());
  if (!given.more) CutBelow(given);
  if (!named) {
    given.header ? AddComments(comments_.size()) : TakeComment(given.like);
    return;
  }
  AddComments(comments_.size());
  CsvCursor cursor(text_, delimiter_, source, first_line_);
  Record first = cursor.TakeRow();
  if (format.short_header) first.insert(first.begin(), "");
  Check(!cursor.done(), source, ": has a header but no rows");
  SetNames(first);
}

// Warns about lines that are skipped.
void CsvTable::AddNotes(const Notes& notes, size_t line) {
  if (notes.first.empty()) return;
  const bool one = notes.lines == 1;
  guesses.push_back(
      {Join(one ? "line " : "lines ", line, one ? "" : Join(" to ", line + notes.lines - 1), " ('",
            Shown(notes.first), "') ", one ? "is" : "are", " not part of the table and ",
            one ? "is" : "are", " skipped"),
       one ? "remove the line" : "remove the lines", true});
}

TableText CsvTable::Below(const Schema* like) const {
  return {text_, source, delimiter_, decimal[0], names.size() + trailing_, named && header_above_,
          false, like};
}

// Sums and notes below the rows.
void CsvTable::CutBelow(const Hints& given) {
  TableText table = Below(given.like);
  table.all_rows = given.all_rows || given.rows;
  const Notes below = NotesBelow(table);
  text_.remove_suffix(below.size);
  const auto lines = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n'));
  if (below.lines > 0) AddNotes(below, first_line_ + lines + 1);
  const auto sum = given.like && given.all_rows ? LastSum(*given.like) : std::nullopt;
  if (sum) guesses.push_back(*sum);
}

std::optional<TableGuess> CsvTable::LastSum(const Schema& like) const {
  const std::string sum = SumBelow(Below(&like));
  if (sum.empty()) return {};
  const auto lines = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n'));
  return TableGuess{Join("line ", first_line_ + lines, " ('", Shown(sum),
                         "') looks like a sum of the rows but is read as a row"),
                    "remove the line if it is a sum", true};
}

// A first line such as "sep=;" names the separator for Excel.
void CsvTable::TakeSeparatorLine(Hints* given) {
  const std::string_view line = text_.substr(0, text_.find('\n'));
  const bool found = Lowered(line.substr(0, 4)) == "sep=" && line.size() >= 5 &&
                     TrimSpaces(line.substr(5)).find_first_not_of('\r') == std::string_view::npos;
  if (!found || line.size() == text_.size()) return;
  if (given->separator == 0) given->separator = line[4];
  text_.remove_prefix(line.size() + 1);
  ++first_line_;
}

void CsvTable::SetTabs() {
  const auto tabs = std::make_shared<std::string>(BlanksToTabs(text_));
  text_ = *tabs;
  owner_ = tabs;
}

void CsvTable::Drop() {
  if (taken_ == 0) return;
  text_.remove_prefix(taken_);
  first_line_ = next_line_;
  taken_ = 0;
  header_above_ = false;
}

void CsvTable::GoOn(std::string_view text, size_t line) {
  Drop();
  CheckNoZero(text, source, line);
  text_ = text.substr(0, text.find_last_not_of(" \r\n") + 1);
  first_line_ = line;
  if (separator == "blanks") SetTabs();
}

void CsvTable::SkipComments(const Hints& given) {
  const char* end = text_.data() + text_.size();
  while (IsComment(text_)) {
    const size_t size = std::min(text_.find('\n'), text_.size());
    comments_.push_back({text_.substr(0, size), first_line_++});
    text_.remove_prefix(std::min(size + 1, text_.size()));
  }
  if (text_.data() == end) TakeRowsBack(given, 0);
  Check(text_.data() != end, source, ": has comments but no rows");
}

// The last comments are rows if they may be, and have `width` fields (0: any number).
void CsvTable::TakeRowsBack(const Hints& given, size_t width) {
  const char* end = text_.data() + text_.size();
  std::vector<HashLine> unknown;
  while (!comments_.empty() && comments_.back().number + 1 == first_line_) {
    const HashLine line = comments_.back();
    const bool known = IsKnown(line.text, given.like);
    const bool row = known || (given.header == false && !IsApart(line.text));
    const size_t fields = width > 0 ? FieldsOf(line.text).size() : 0;
    if (!row || fields < width || fields > width + trailing_) break;
    if (!known) unknown.push_back(line);
    text_ = {line.text.data(), static_cast<size_t>(end - line.text.data())};
    table_line_ = first_line_ = line.number;
    comments_.pop_back();
  }
  if (unknown.empty()) return;
  std::ranges::reverse(unknown);
  const bool one = unknown.size() == 1;
  guesses.push_back(
      {Join(ShownLines(unknown), " with # and ",
            one ? "may be a comment; gopnet reads it as a row"
                : "may be comments; gopnet reads them as rows"),
       one ? "remove the line if it is a comment" : "remove the lines that are comments", true});
}

Record CsvTable::FieldsOf(std::string_view line) const {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return TryRow(separator == "blanks" ? BlanksToTabs(line) : std::string(line),
                separator == "blanks" ? '\t' : delimiter_, source);
}

// Warns about those of the first `count` comments that may be rows: #ff0000,1,2.
void CsvTable::AddComments(size_t count) {
  std::vector<HashLine> lines;
  for (const HashLine& line : std::span(comments_).first(count)) {
    if (!IsApart(line.text) && FieldsOf(line.text).size() == names.size()) lines.push_back(line);
  }
  if (lines.empty()) return;
  const bool one = lines.size() == 1;
  guesses.push_back({Join(ShownLines(lines), " with # and ",
                          one ? "is skipped as a comment" : "are skipped as comments"),
                     one ? "remove the line, or the # to read it as a row"
                         : "remove the lines, or the # to read them as rows",
                     true});
}

// NumPy writes the names of columns as a comment.
void CsvTable::TakeComment(const Schema* like) {
  if (comments_.empty()) return;
  const HashLine& last = comments_.back();
  const Record fields = FieldsOf(last.text.substr(1));
  const bool unnamed = like && !like->named;
  if (unnamed || fields.size() < 2 || fields.size() != names.size() || !AllDistinct(fields) ||
      !AllText(fields))
    return AddComments(comments_.size());
  AddComments(comments_.size() - 1);
  header_above_ = false;
  named = true;
  guesses.push_back({Join("the column names come from a comment, line ", last.number, " ('",
                          Shown(last.text), "')"),
                     "use --header no to ignore it", !IsApart(last.text)});
  SetNames(fields);
}

void CsvTable::SetNames(const Record& first) {
  for (size_t c = 0; c < std::min(first.size(), names.size()); ++c) {
    if (!first[c].empty()) names[c] = first[c];
  }
  no_first_name = first[0].empty();
  std::set<std::string> seen;
  for (const std::string& name : names) {
    Check(seen.insert(name).second, source, ": line ", first_line_, ": two columns are named '",
          Shown(name), "'");
  }
}

CsvCursor CsvTable::Data() const {
  CsvCursor cursor(text_, delimiter_, source, first_line_);
  if (named && header_above_) cursor.SkipRow();
  return cursor;
}

// Bounded by the number of lines, and by the bytes, so that blank lines cost nothing.
size_t CsvTable::MostNumbers(size_t width) const {
  const auto lines = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n')) + 1;
  const size_t limit = text_.size() + 1 + width;
  return width > 0 && lines > limit / width ? limit : lines * width;
}

std::vector<bool> CsvTable::FindBlank() const {
  constexpr size_t kWide = 1000;
  if (names.size() < kWide || std::ranges::none_of(hints, &ColumnHint::empty)) return {};
  std::vector<bool> blank(names.size(), true);
  for (CsvCursor cursor = Data(); !cursor.done();) {
    size_t c = 0;
    do {
      const bool none = cursor.Take().empty();
      if (c < blank.size()) blank[c] = blank[c] && none;
      ++c;
    } while (!cursor.EndField());
  }
  return blank;
}

std::string CsvTable::Where(size_t row) const {
  CsvCursor cursor = Data();
  for (size_t i = 0; i < row; ++i) cursor.SkipRow();
  return Join("line ", cursor.line());
}

Hints HintsOf(const ReadOptions& options) {
  Hints hints{options.like, std::nullopt, options.header, options.separator, options.decimal};
  hints.all_rows =
      !options.need_targets || !options.labels_path.empty() || !options.weights_path.empty();
  return hints;
}

std::unique_ptr<Table> OpenCsv(const FileBytes& file, const Hints& hints) {
  return std::make_unique<CsvTable>(file, hints);
}

std::unique_ptr<Table> OpenCsvGz(const FileBytes& file, const Hints& hints) {
  const auto text = std::make_shared<std::string>(Gunzip(file.bytes, file.path));
  return std::make_unique<CsvTable>(FileBytes{file.path, *text, text}, hints);
}

}  // namespace gopnet

// Opens CSV files: byte order mark, delimiter, header. csv_rows.cc reads the rows.
#include "data/formats/csv.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "data/field.h"
#include "data/formats/inflate.h"

namespace gopnet {
namespace {

// A file of another kind can be one line of gigabytes. Looks at a line in every 64 MB only.
void CheckLineLength(std::string_view text, const std::string& path) {
  constexpr size_t kMostLine = size_t{64} << 20;
  while (text.size() > kMostLine) {
    const size_t end = text.substr(0, kMostLine).rfind('\n');
    Check(end != std::string_view::npos, path,
          ": a line of more than 64 MB; shorter ones, ended by LF, are wanted");
    text.remove_prefix(end + 1);
  }
}

std::string_view Content(std::string_view text, const std::string& path) {
  CheckLineLength(text, path);
  Check(!text.starts_with("\xff\xfe") && !text.starts_with("\xfe\xff"), path,
        ": is UTF-16 text, UTF-8 is wanted");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(zero), '\n') + 1;
    Fail(path, ": line ", line,
         " holds a zero byte; UTF-8 text is wanted, neither UTF-16 nor binary data");
  }
  const size_t last = text.find_last_not_of(" \r\n");  // blank lines at the end
  Check(last != std::string_view::npos, path, ": is empty");
  text = text.substr(0, last + 1);
  Check(text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos,
        path, ": its lines end in CR alone, LF or CRLF is wanted");
  return text;
}

constexpr size_t kSampleRows = 1000;

size_t CountKind(const std::vector<std::string>& fields, FieldKind kind) {
  return static_cast<size_t>(std::count_if(
      fields.begin(), fields.end(), [&](const std::string& f) { return KindOf(f) == kind; }));
}

// At least half of the fields are names the schema knows.
bool RepeatsNames(const std::vector<std::string>& fields, const Schema& schema) {
  std::set<std::string> names(schema.targets.begin(), schema.targets.end());
  for (const Column& column : schema.columns) names.insert(column.name);
  const auto known = std::count_if(fields.begin(), fields.end(),
                                   [&](const std::string& f) { return names.count(f) > 0; });
  return 2 * static_cast<size_t>(known) >= fields.size();
}

bool TextOverNumber(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  for (size_t c = 0; c < std::min(first.size(), second.size()); ++c) {
    if (KindOf(first[c]) == FieldKind::kText && KindOf(second[c]) == FieldKind::kNumber)
      return true;
  }
  return false;
}

// Data repeats its words, a header does not.
bool Reappears(const std::vector<std::string>& first, CsvCursor cursor) {
  for (size_t row = 0; row < kSampleRows && !cursor.done(); ++row) {
    size_t c = 0;
    do {
      const std::string_view field = cursor.Take();
      if (c < first.size() && field == first[c]) return true;
      ++c;
    } while (!cursor.EndField());
  }
  return false;
}

std::vector<std::string> TakeRow(CsvCursor cursor, size_t most) {
  std::vector<std::string> fields;
  do fields.emplace_back(cursor.Take());
  while (!cursor.EndField() && fields.size() < most);
  return fields;
}

size_t CountRows(CsvCursor cursor) {
  size_t rows = 0;
  for (; !cursor.done(); ++rows) cursor.SkipRow();
  return rows;
}

// Tab in .tsv; else a comma, or ';' or tab if the first line has no comma.
char FindDelimiter(std::string_view text, const std::string& path) {
  if (path.find(".tsv") != std::string::npos || path.find(".TSV") != std::string::npos) return '\t';
  bool quoted = false;
  bool semicolon = false;
  bool tab = false;
  for (const char c : text) {
    quoted ^= c == '"';
    if (quoted) continue;
    if (c == ',') return ',';
    if (c == '\n') break;
    semicolon |= c == ';';
    tab |= c == '\t';
  }
  return semicolon ? ';' : tab ? '\t' : ',';
}

// The rule of docs/data.md. `first` holds the fields of the first line.
bool HasHeader(std::string_view text, char delimiter, const std::vector<std::string>& first,
               const std::string& source, const Hints& hints) {
  if (hints.like && hints.like->named && RepeatsNames(first, *hints.like)) return true;
  const bool all_text = CountKind(first, FieldKind::kText) == first.size();
  CsvCursor rest(text, delimiter, source);
  rest.SkipRow();
  if (rest.done()) return all_text && !hints.like && hints.rows.value_or(2) > 1;
  if (TextOverNumber(first, TakeRow(rest, first.size())))
    return 2 * CountKind(first, FieldKind::kNumber) <= first.size();
  if (!all_text || std::set(first.begin(), first.end()).size() < first.size()) return false;
  const size_t rows = hints.rows ? CountRows(rest) : 0;
  if (hints.rows && rows == *hints.rows) return true;
  if (hints.rows && rows + 1 == *hints.rows) return false;
  return !Reappears(first, rest);
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
  Check(AtBreak(at_), source_, ": line ", line_, ": text after a closing quote (\")");
  return unquoted_;
}

size_t CsvCursor::SkipRow() {
  size_t fields = 0;
  do {
    Take();
    ++fields;
  } while (!EndField());
  return fields;
}

CsvTable::CsvTable(const FileBytes& file, const Hints& hints)
    : text_(Content(file.bytes, file.path)),
      owner_(file.owner),
      delimiter_(FindDelimiter(text_, file.path)) {
  source = file.path;
  std::vector<std::string> first;
  CsvCursor cursor = Data();
  do {
    CheckColumns(first.size() + 1, source);
    first.emplace_back(cursor.Take());
  } while (!cursor.EndField());
  named = HasHeader(text_, delimiter_, first, source, hints);
  Check(!named || !cursor.done(), source, ": has a header but no rows");
  names = DefaultNames(first.size());
  if (named) SetNames(first);
}

void CsvTable::SetNames(const std::vector<std::string>& first) {
  for (size_t c = 0; c < first.size(); ++c) {
    if (!first[c].empty()) names[c] = first[c];
  }
  std::set<std::string> seen;
  for (const std::string& name : names) {
    Check(seen.insert(name).second, source, ": line 1: two columns are named '", Shown(name), "'");
  }
}

CsvCursor CsvTable::Data() const {
  CsvCursor cursor(text_, delimiter_, source);
  if (named) cursor.SkipRow();
  return cursor;
}

// By the number of lines; but each field takes a byte at least, so that blank lines cost nothing.
size_t CsvTable::MostNumbers(size_t width) const {
  const auto lines = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n')) + 1;
  const size_t limit = text_.size() + 1 + width;
  return width > 0 && lines > limit / width ? limit : lines * width;
}

std::string CsvTable::Where(size_t row) const {
  CsvCursor cursor = Data();
  for (size_t i = 0; i < row; ++i) cursor.SkipRow();
  return Join("line ", cursor.line());
}

std::unique_ptr<Table> OpenCsv(const FileBytes& file, const Hints& hints) {
  return std::make_unique<CsvTable>(file, hints);
}

std::unique_ptr<Table> OpenCsvGz(const FileBytes& file, const Hints& hints) {
  const auto text = std::make_shared<std::string>(Gunzip(file.bytes, file.path));
  return std::make_unique<CsvTable>(FileBytes{file.path, *text, text}, hints);
}

}  // namespace gopnet

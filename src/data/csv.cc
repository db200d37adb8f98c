// Opens CSV files: byte order mark, delimiter, header. csv_rows.cc reads the rows.
#include "data/csv.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "data/csv_header.h"
#include "data/field.h"
#include "data/inflate.h"

namespace gopnet {
namespace {

std::string_view Content(std::string_view text, const std::string& path) {
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

}  // namespace

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

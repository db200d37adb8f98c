// ARFF (Weka, OpenML): a header that names and types the columns, then rows as in CSV. Converts the
// file to CSV.
#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "data/csv_text.h"
#include "data/field.h"
#include "data/formats/csv.h"

namespace gopnet {
namespace {

// A name or value, which may be quoted by ' or ", from the front of the text.
std::string TakeWord(std::string_view* text) {
  *text = TrimSpaces(*text);
  std::string word;
  const char quote = text->empty() ? 0 : text->front();
  if (quote != '\'' && quote != '"') {
    const size_t end = std::min(text->find_first_of(" \t"), text->size());
    word = text->substr(0, end);
    text->remove_prefix(end);
    return word;
  }
  size_t at = 1;
  for (; at < text->size() && (*text)[at] != quote; ++at) {
    at += (*text)[at] == '\\' && at + 1 < text->size();
    word += (*text)[at];
  }
  text->remove_prefix(std::min(at + 1, text->size()));
  return word;
}

// A row of data: fields in single quotes get double ones.
void AppendRow(std::string_view line, std::string* csv) {
  while (!line.empty()) {
    const std::string_view start = TrimSpaces(line);
    if (start.starts_with('\'') || start.starts_with('"')) {
      line = start;
      AppendQuoted(TakeWord(&line), csv);
    } else {
      const size_t end = std::min(line.find(','), line.size());
      *csv += line.substr(0, end);
      line.remove_prefix(end);
    }
    const size_t comma = line.find(',');
    if (comma == std::string_view::npos) break;
    *csv += ',';
    line.remove_prefix(comma + 1);
    if (TrimSpaces(line).empty()) break;
  }
  *csv += '\n';
}

// `first_line` becomes the line before the first row, which the names replace.
std::string ArffAsCsv(std::string_view text, const std::string& source, size_t* first_line) {
  std::string csv;
  bool data = false;
  for (size_t line_number = 1; !text.empty(); ++line_number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = TrimSpaces(line);
    if (line.empty() || line.starts_with('%')) continue;
    if (data) {
      Check(!line.starts_with('{'), source, ": line ", line_number,
            ": sparse rows are not supported; write every value of a row");
      if (*first_line == 0) *first_line = line_number - 1;
      AppendRow(line, &csv);
      continue;
    }
    const std::string keyword = Lowered(TakeWord(&line));
    if (keyword == "@attribute") {
      if (!csv.empty()) csv += ',';
      AppendQuoted(TakeWord(&line), &csv);
    } else if (keyword == "@data") {
      Check(!csv.empty(), source, ": has no @attribute before @data");
      data = true;
      csv += '\n';
    } else {
      Check(keyword == "@relation", source, ": line ", line_number,
            ": expected @relation, @attribute or @data, found '", Shown(keyword), "'");
    }
  }
  Check(data, source, ": has no @data");
  return csv;
}

}  // namespace

std::unique_ptr<Table> OpenArff(const FileBytes& file, const Hints& given) {
  Hints hints = given;
  hints.first_line = 0;
  const auto csv =
      std::make_shared<std::string>(ArffAsCsv(file.bytes, file.path, &hints.first_line));
  hints.header = true;
  hints.separator = ',';
  hints.decimal = '.';
  return std::make_unique<CsvTable>(FileBytes{file.path, *csv, csv}, hints);
}

}  // namespace gopnet

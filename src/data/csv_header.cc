#include "data/csv_header.h"

#include <algorithm>
#include <set>

#include "data/csv_cursor.h"
#include "data/field.h"

namespace gopnet {
namespace {

constexpr size_t kSampleRows = 1000;

FieldKind KindOf(const std::string& field) {
  double value;
  return ParseField(field, &value);
}

size_t Count(const std::vector<std::string>& fields, FieldKind kind) {
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

}  // namespace

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

bool HasHeader(std::string_view text, char delimiter, const std::vector<std::string>& first,
               const std::string& source, const Hints& hints) {
  if (hints.like && hints.like->named && RepeatsNames(first, *hints.like)) return true;
  const bool all_text = Count(first, FieldKind::kText) == first.size();
  CsvCursor rest(text, delimiter, source);
  rest.SkipRow();
  if (rest.done()) return all_text && !hints.like && hints.rows.value_or(2) > 1;
  if (TextOverNumber(first, TakeRow(rest, first.size())))
    return 2 * Count(first, FieldKind::kNumber) <= first.size();
  if (!all_text || std::set(first.begin(), first.end()).size() < first.size()) return false;
  const size_t rows = hints.rows ? CountRows(rest) : 0;
  if (hints.rows && rows == *hints.rows) return true;
  if (hints.rows && rows + 1 == *hints.rows) return false;
  return !Reappears(first, rest);
}

}  // namespace gopnet

// Detects the format of a text file from its first rows: separator, decimal sign, header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/field.h"
#include "data/table.h"

namespace gopnet {

using Record = std::vector<std::string>;  // the fields of a row

inline constexpr std::string_view kSeparators = ",;\t| ";  // a blank: runs of blanks
inline constexpr size_t kSampleRows = 1000;

// The first rows of a text: fewer of a very wide one, but at least two. A blank as separator stands
// for runs of blanks and tabs.
std::vector<Record> Sample(std::string_view text, char separator, const std::string& source,
                           size_t most = kSampleRows);
// The fields of one row; none if its quotes do not fit the separator.
Record TryRow(std::string_view line, char separator, const std::string& source);
bool AllText(const Record& fields);
bool AllDistinct(const Record& fields);
// The beginning of a text, small enough to copy.
std::string_view Head(std::string_view text);
// A number in any notation, or a date.
bool IsValue(const std::string& field);
inline bool IsWord(const std::string& field) { return !field.empty() && !IsValue(field); }
// The separator of the text of `path`. `like` is the schema of the model that will read it, if any.
char FindSeparator(std::string_view text, const std::string& path, const Schema* like);

// Lines of a text that are not part of its table.
struct Notes {
  size_t lines = 0, size = 0;
  std::string first;  // the first that is not blank, without separators
};
// Lines above the rows, which are neither names nor values, ...
Notes NotesAbove(std::string_view text, const Hints& hints, const std::string& source);
// ... and lines below them.
struct TableText {
  std::string_view text;  // the rows, perhaps below their names, and what follows them
  const std::string& source;
  char separator = ',', decimal = '.';
  size_t width = 0;              // fields of a row
  bool named = false;            // the first row holds the names
  bool all_rows = false;         // a line of the width of a row is a row
  const Schema* like = nullptr;  // of the training data
};
Notes NotesBelow(const TableText& table);
// The last row if it looks like a sum of the others; else empty.
std::string SumBelow(const TableText& table);

struct CsvFormat {
  char separator = ',';  // a blank stands for runs of blanks and tabs
  char decimal = '.';
  bool header = false;
  bool short_header = false;  // the header lacks a name for the first column, as R writes it
  size_t trailing = 0;        // separators at the end of every row, without a field after them
  std::vector<ColumnHint> columns;
  std::vector<TableGuess> guesses;
};

// Throws Error that names both readings if a text is ambiguous.
CsvFormat FindFormat(std::string_view text, const std::string& path, const Hints& hints);

// Replaces every run of blanks outside of quotes by one tab, and trims the lines.
std::string BlanksToTabs(std::string_view text);

// Whether half of the fields are names in the schema. If some fields are numbers, which data may
// repeat, all fields must be names or cover all features.
bool RepeatsNames(const Record& fields, const Schema& schema);

// Whether the first record holds column names (docs/reference/data_files.md). `rows` is the number
// of rows of the file, if the hints have the expected number.
bool HasHeader(const std::vector<Record>& records, const Hints& hints, const std::string& source,
               char decimal, size_t rows, std::vector<TableGuess>* guesses);

}  // namespace gopnet

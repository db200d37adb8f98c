// How a text file is written, found out from its first rows: separator, decimal sign, header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/field.h"
#include "data/table.h"

namespace gopnet {

using Record = std::vector<std::string>;  // the fields of a row

inline constexpr std::string_view kSeparators = ",;\t| ";  // of which a blank is runs of blanks
inline constexpr size_t kSampleRows = 1000;

// The first rows of a text; few of a very wide one, but two at least. A blank as separator stands
// for runs of blanks and tabs.
std::vector<Record> Sample(std::string_view text, char separator, const std::string& source,
                           size_t most = kSampleRows);
// The fields of one row; none if its quotes go with another separator.
Record TryRow(std::string_view line, char separator, const std::string& source);
bool AllText(const Record& fields);
bool AllDistinct(const Record& fields);
// As much of a text as is copied for a look at its blanks.
std::string_view Head(std::string_view text);
// A number as people write it or a date, which no separator has cut apart.
bool IsValue(const std::string& field);
inline bool IsWord(const std::string& field) { return !field.empty() && !IsValue(field); }
// Of `path`, whose rows are new ones for a model that was trained on rows `like` these, if any.
char FindSeparator(std::string_view text, const std::string& path, const Schema* like);

// Lines of a text that are no part of its table.
struct Notes {
  size_t lines = 0, size = 0;
  std::string first;  // that is not blank, without separators
};
// Those above the rows, of which none is taken for names or values, ...
Notes NotesAbove(std::string_view text, const Hints& hints, const std::string& source);
// ... and those below them.
struct TableText {
  std::string_view text;  // the rows, perhaps below their names, and what follows them
  const std::string& source;
  char separator = ',', decimal = '.';
  size_t width = 0;              // fields of a row
  bool named = false;            // the first row holds the names
  bool all_rows = false;         // a line that is as long as a row is one
  const Schema* like = nullptr;  // of the data trained on
};
Notes NotesBelow(const TableText& table);
// The last row, if it seems to be a sum of the others; or nothing.
std::string SumBelow(const TableText& table);

struct CsvFormat {
  char separator = ',';  // a blank stands for runs of blanks and tabs
  char decimal = '.';
  bool header = false;
  bool short_header = false;  // the header lacks a name for the first column, as R writes it
  size_t trailing = 0;        // separators at the end of rows that begin no field
  std::vector<ColumnHint> columns;
  std::vector<TableGuess> guesses;
};

// Throws Error, with both readings, for a text that may be read in two ways.
CsvFormat FindFormat(std::string_view text, const std::string& path, const Hints& hints);

// Every run of blanks outside of quotes becomes one tab, those around lines none.
std::string BlanksToTabs(std::string_view text);

// Half of the fields are names the schema knows; of numbers, which data may repeat, they are all
// known or all that the schema's features have.
bool RepeatsNames(const Record& fields, const Schema& schema);

// Whether the first of the records names the columns (docs/reference/data_files.md). `rows` counts
// all of the file, if the hints tell how many there should be.
bool HasHeader(const std::vector<Record>& records, const Hints& hints, const std::string& source,
               char decimal, size_t rows, std::vector<TableGuess>* guesses);

}  // namespace gopnet

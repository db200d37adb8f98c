// How a text file is written, found out from its first rows: separator, decimal sign, header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/field.h"
#include "data/table.h"

namespace gopnet {

using Record = std::vector<std::string>;  // the fields of a row

struct CsvFormat {
  char separator = ',';  // a blank stands for runs of blanks and tabs
  char decimal = '.';
  bool header = false;
  bool short_header = false;  // the header lacks a name for the first column, as R writes it
  bool trailing = false;      // rows end in a separator that begins no field
  std::vector<ColumnHint> columns;
  std::vector<TableGuess> guesses;
};

// Throws Error, with both readings, for a text that may be read in two ways.
CsvFormat FindFormat(std::string_view text, const std::string& path, const Hints& hints);

// Without the last field of every row where it is blank.
std::string WithoutTrailing(std::string_view text, char separator, const std::string& source,
                            size_t first_line);

// Every run of blanks outside of quotes becomes one tab, those around lines none.
std::string BlanksToTabs(std::string_view text);

// Half of the fields are names the schema knows; of numbers, which data may repeat, they are all
// known or all that the schema's features have.
bool RepeatsNames(const Record& fields, const Schema& schema);

// Whether the first of the records names the columns (docs/data.md). `rows` counts those of the
// whole file but for the first.
struct HeaderQuestion {
  const std::vector<Record>& records;
  const Hints& hints;
  const std::string& source;
  size_t (*count_rows)(std::string_view text, char separator, const std::string& source);
  std::string_view text;
  char separator, decimal;
};
bool HasHeader(const HeaderQuestion& question, std::vector<TableGuess>* guesses);

}  // namespace gopnet

// What the fields of a column, at first a sample of them, tell of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace gopnet {

ColumnHint HintOf(const std::vector<std::string_view>& fields, char decimal);
// The user says that the column is text, whatever it looks like: categories or dates.
bool IsForced(const Table& table, size_t column, const ReadOptions& options);
// Corrects the hints of the other features by all rows. True if they are to be read again.
bool CorrectHints(const TableRows& rows, const Layout& layout, const ReadOptions& options,
                  Table* table);

// How many digits a code has: "01234" is one of 5. 0 for anything but two digits or more.
size_t CodeLength(std::string_view field);

// How the numbers of a column are written, as far as it may tell the decimal sign.
struct DecimalSigns {
  size_t fields = 0, whole = 0;  // whole: digits only
  size_t comma = 0, comma_groups = 0, point = 0, point_groups = 0, both = 0;
  std::string example;        // with a comma
  std::string point_example;  // of point_groups

  void Add(std::string_view given);
  bool IsNumbers() const;

 private:
  void AddWithoutComma(const std::string& field);
};

}  // namespace gopnet

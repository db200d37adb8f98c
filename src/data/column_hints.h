// Derives how to read a column from its fields, at first from a sample.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace gopnet {

ColumnHint HintOf(const std::vector<std::string_view>& fields, char decimal);
// Whether an option makes the column text (categories or dates), whatever it looks like.
bool IsForced(const Table& table, size_t column, const ReadOptions& options);
// Corrects the hints of the other features from all rows. True if the table must be read again.
bool CorrectHints(const TableRows& rows, const Layout& layout, const ReadOptions& options,
                  Table* table);

// The number of digits of a code: 5 for "01234". 0 unless the field is two or more digits.
size_t CodeLength(std::string_view field);

// Counts how the numbers of a column are written, to find the decimal sign.
struct DecimalSigns {
  size_t fields = 0, whole = 0;  // whole: digits only
  size_t comma = 0, comma_groups = 0, point = 0, point_groups = 0, both = 0;
  std::string example;                 // with a comma
  std::string point_example;           // of point_groups
  std::string only_comma, only_point;  // of comma, and of point or both: no other sign fits

  void Add(std::string_view given);
  bool IsNumbers() const;

 private:
  void AddWithoutComma(const std::string& field);
};

}  // namespace gopnet

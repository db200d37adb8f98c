// CSV text as a Table.
#pragma once

#include <string>
#include <string_view>

#include "data/csv_cursor.h"
#include "data/table.h"

namespace gopnet {

class CsvTable : public Table {
 public:
  CsvTable(const FileBytes& file, const Hints& hints);
  TableRows Read(const Layout& layout) const override;
  std::string Where(size_t row) const override;
  CsvCursor Data() const;                  // at the first row
  size_t MostNumbers(size_t width) const;  // room for all rows of `width` features

 private:
  void SetNames(const std::vector<std::string>& first);

  std::string_view text_;
  std::shared_ptr<const void> owner_;
  char delimiter_;
};

}  // namespace gopnet

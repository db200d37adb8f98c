// A NumPy array as a Table.
#pragma once

#include <memory>
#include <string>

#include "data/npy_header.h"
#include "data/table.h"

namespace gopnet {

class NpyTable : public Table {
 public:
  explicit NpyTable(const FileBytes& file);
  TableRows Read(const Layout& layout) const override;
  std::string Where(size_t row) const override;

 private:
  void ReadFeatures(const Layout& layout, TableRows* rows) const;
  bool Map(const Layout& layout, TableRows* rows) const;
  void Copy(const Layout& layout, TableRows* rows) const;
  void CheckFinite(const Layout& layout, const MatrixView& x) const;
  Values Keep(size_t column) const;

  NpyArray array_;
  std::shared_ptr<const void> owner_;
};

}  // namespace gopnet

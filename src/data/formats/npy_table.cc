// A NumPy array as a Table.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "base/check.h"
#include "base/file_map.h"
#include "data/field_sink.h"
#include "data/formats/npy.h"

namespace gopnet {
namespace {

class NpyTable : public Table {
 public:
  explicit NpyTable(const FileBytes& file)
      : array_(ParseNpy(file.bytes, file.path)), owner_(file.owner) {
    source = file.path;
    CheckColumns(array_.cols(), source);
    names = DefaultNames(array_.cols());
    array = true;
    hints.resize(array_.cols());
    if (NumberGetter(array_) && !(array_.kind == 'f' && array_.width <= sizeof(float))) FindFar();
    if (!NumberGetter(array_)) unfit = "holds text, but features must be numbers";
    if (array_.shape.size() == 1) {
      unfit = Join("has shape ", ShapeText(array_.shape),
                   ", but features must have shape (rows, columns)");
    }
  }

  std::string Where(size_t row) const override { return Join("row ", row, " (from 0)"); }

  TableRows Read(const Layout& layout) const override {
    TableRows rows;
    rows.count = array_.rows();
    FieldSink sink(*this, layout, &rows);
    if (!layout.features.empty()) ReadFeatures(layout, &sink, &rows);
    for (size_t k = 0; k < layout.kept.size(); ++k) rows.kept[k] = ReadKept(layout.kept[k]);
    return rows;
  }

 private:
  void FindFar() {
    constexpr size_t kFirstRows = 1000;
    const GetNumber get = NumberGetter(array_);
    for (size_t c = 0; c < hints.size(); ++c) {
      Range range;
      for (size_t i = 0; i < std::min(kFirstRows, array_.rows()); ++i) {
        const double value = get(array_.At(i, c));
        if (std::isfinite(value)) range.Add(value);
      }
      hints[c].far = range.IsFar();
    }
  }

  void ReadFeatures(const Layout& layout, FieldSink* sink, TableRows* rows) const {
    Check(unfit.empty(), source, ": ", unfit);
    for (const size_t c : layout.features) {
      if (hints[c].text)
        Fail(source, ": ", ColumnName(c), " cannot hold categories: it is an array of numbers");
    }
    if (!Map(layout, rows)) Copy(layout, rows);
    const MatrixView& x = rows->x;
    for (size_t i = 0; i < x.rows; ++i) {
      for (size_t k = 0; k < x.cols; ++k) {
        if (std::isfinite(x.Row(i)[k])) continue;
        sink->Note(k, x.Row(i)[k],
                   [&] { return Join("row ", i, ", column ", layout.features[k], " (from 0)"); });
      }
    }
    sink->Check();
  }

  // Float32 in C order is used where it lies, if the features stand side by side.
  bool Map(const Layout& layout, TableRows* rows) const {
    const char* begin = array_.At(0, layout.features[0]);
    const bool aligned = reinterpret_cast<uintptr_t>(begin) % alignof(float) == 0;
    const bool row_major = !array_.fortran || array_.rows() == 1 || array_.cols() == 1;
    if (array_.kind != 'f' || array_.width != sizeof(float) || !row_major || !aligned) return false;
    for (size_t k = 0; k < layout.features.size(); ++k) {
      if (layout.features[k] != layout.features[0] + k) return false;
    }
    const auto* numbers = reinterpret_cast<const float*>(begin);
    rows->x = MatrixView(numbers, array_.rows(), layout.features.size());
    rows->x.stride = array_.cols();
    rows->owner = owner_;
    return true;
  }

  void Copy(const Layout& layout, TableRows* rows) const {
    const size_t width = layout.features.size();
    const GetNumber get = NumberGetter(array_);
    const std::shared_ptr<float[]> x(new float[array_.rows() * width]);
    const auto copy = [&](size_t i, size_t k) {
      const double value = get(array_.At(i, layout.features[k]));
      x[i * width + k] = static_cast<float>(value);
      if (hints[layout.features[k]].far) rows->features[k].far.push_back(value);
    };
    // in the order of the file, whose pages need not stay in memory beside the copy
    constexpr size_t kForget = size_t{1} << 20;
    const size_t lines = array_.fortran ? width : array_.rows();
    const size_t line = array_.fortran ? array_.rows() : width;
    for (size_t a = 0, seen = 0; a < lines; ++a) {
      for (size_t b = 0; b < line; ++b) array_.fortran ? copy(b, a) : copy(a, b);
      if ((seen += line) >= kForget) ForgetPages(array_.data.data()), seen = 0;
    }
    rows->x = MatrixView(x.get(), array_.rows(), width);
    rows->owner = x;
  }

  ColumnValues ReadKept(size_t column) const {
    ColumnValues values;
    const GetNumber number = NumberGetter(array_);
    const GetInteger integer = IntegerGetter(array_);
    values.kind = integer  ? ColumnValues::Kind::kIntegers
                  : number ? ColumnValues::Kind::kNumbers
                           : ColumnValues::Kind::kText;
    const size_t rows = array_.rows();
    if (integer) values.integers.reserve(rows);
    if (number && !integer) values.numbers.reserve(rows);
    if (!number) values.text.Reserve(rows);
    for (size_t i = 0; i < rows; ++i) {
      const char* at = array_.At(i, column);
      if (integer) {
        values.integers.push_back(integer(at));
        if (array_.kind != 'i' && values.integers.back() < 0) {
          Fail(source, ": ", Where(i), ": ", static_cast<uint64_t>(values.integers.back()),
               " is too large for int64");
        }
      } else if (number) {
        values.numbers.push_back(number(at));
      } else {
        values.text.Add(TextAt(array_, at));
      }
    }
    return values;
  }

  NpyArray array_;
  std::shared_ptr<const void> owner_;
};

}  // namespace

std::unique_ptr<Table> OpenNpy(const FileBytes& file, const Hints&) {
  return std::make_unique<NpyTable>(file);
}

}  // namespace gopnet

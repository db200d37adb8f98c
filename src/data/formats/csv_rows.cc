// Reads the rows of a CSV file straight into the float matrix: no allocation a field, one pass.
#include <algorithm>
#include <limits>

#include "base/check.h"
#include "data/field.h"
#include "data/formats/csv.h"

namespace gopnet {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class CsvRows {
 public:
  CsvRows(const CsvTable& table, const Layout& layout)
      : table_(table), layout_(layout), cursor_(table.Data()), sinks_(table.names.size()) {
    const bool fast = table.decimal == ".";  // from_chars knows no other
    for (size_t k = 0; k < layout.features.size(); ++k) {
      const auto kind = layout.text[k]  ? Sink::kText
                        : layout.far[k] ? Sink::kFar
                        : fast          ? Sink::kNumber
                                        : Sink::kStyled;
      sinks_[layout.features[k]] = {kind, k};
    }
    for (size_t k = 0; k < layout.kept.size(); ++k) {
      Sink& sink = sinks_[layout.kept[k]];
      if (sink.kind == Sink::kSkip) sink.kind = Sink::kKeep;
      if (sink.kind == Sink::kNumber) sink.kind = Sink::kStyled;  // a feature that is kept as well
      sink.keep = k;
    }
    rows_.text.resize(layout.features.size());
    rows_.far.resize(layout.features.size());
    rows_.blanks.resize(layout.features.size());
    rows_.strays.resize(layout.features.size());
    rows_.kept.resize(layout.kept.size());
  }

  void ReadAll() {
    const size_t kept = std::max<size_t>(1, rows_.kept.size());
    const size_t most = table_.MostNumbers(kept) / kept;
    for (ColumnValues& values : rows_.kept) values.text.Reserve(most);
    Read(/*most=*/kNone, table_.MostNumbers(layout_.features.size()));
  }

  // Some of the rows; room: for their numbers.
  void Read(size_t most, size_t room) {
    const size_t width = layout_.features.size();
    x_ = std::shared_ptr<float[]>(new float[room]);  // all will be written
    for (; !cursor_.done() && rows_.count < most; ++rows_.count)
      ReadRow(x_.get() + rows_.count * width);
    not_finite_.Check(table_.source, layout_.allow_missing);
  }

  const CsvCursor& cursor() const { return cursor_; }

  TableRows Result() && {
    rows_.x = MatrixView(x_.get(), rows_.count, layout_.features.size());
    rows_.owner = std::move(x_);
    return std::move(rows_);
  }

 private:
  // Where the fields of a file column go: a feature, a kept column, or nowhere.
  struct Sink {
    enum { kSkip, kNumber, kStyled, kFar, kText, kKeep } kind = kSkip;
    size_t index = 0;     // of a feature
    size_t keep = kNone;  // the kept column that it is, too, if any
  };

  void ReadRow(float* x) {
    row_line_ = cursor_.line();
    const size_t columns = sinks_.size();
    size_t c = 0;
    do {
      if (c == columns) CheckWidth(columns + cursor_.SkipRow(), row_line_);
      const Sink sink = sinks_[c];
      if (sink.kind != Sink::kNumber || !cursor_.TakeNumber(x + sink.index)) ReadField(c, x);
      ++c;
    } while (!cursor_.EndField());
    if (c != columns) CheckWidth(c, row_line_);
  }

  void CheckWidth(size_t found, size_t line) const {
    Check(found == sinks_.size(), table_.source, ": line ", line, " has ", found,
          found == 1 ? " field, " : " fields, ", sinks_.size(), " are wanted as in line ",
          table_.table_line());
  }

  // The slow way: what is not a plain number.
  void ReadField(size_t column, float* x) {
    const std::string_view field = cursor_.Take();
    const auto [kind, index, keep] = sinks_[column];
    if (keep < rows_.kept.size()) rows_.kept[keep].text.Add(field);
    switch (kind) {
      case Sink::kNumber:
      case Sink::kStyled:
        x[index] = Number<float>(field, column);
        break;
      case Sink::kFar:
        rows_.far[index].push_back(Number<double>(field, column));
        ParseNumberField(field, table_.Style(column), x + index);
        break;
      case Sink::kText:
        x[index] = kNaN;
        if (KindOf(field) == FieldKind::kMissing) Missing(column);
        rows_.text[index].Add(field);
        break;
      case Sink::kKeep:
      case Sink::kSkip:
        break;
    }
  }

  template <class T>
  T Number(std::string_view field, size_t column) {
    T value;
    FieldKind kind = ParseNumberField(field, table_.Style(column), &value);
    if (kind == FieldKind::kNumber && std::isinf(static_cast<float>(value)))
      kind = FieldKind::kInfinite;
    if (kind == FieldKind::kNumber) return value;
    if (kind == FieldKind::kMissing) {
      Missing(column);
    } else if (kind == FieldKind::kInfinite) {
      not_finite_.AddInfinite([&] { return Join(Place(column), " ('", Shown(field), "')"); });
    } else {
      Stray(field, column);
    }
    return std::numeric_limits<T>::quiet_NaN();
  }

  void Stray(std::string_view field, size_t column) {
    Strays& strays = rows_.strays[sinks_[column].index];
    if (strays.count++ == 0) strays.first = Join(Place(column), ": '", Shown(field), "'");
  }

  void Missing(size_t column) {
    ++rows_.blanks[sinks_[column].index];
    not_finite_.AddMissing([&] { return Place(column); });
  }

  std::string Place(size_t column) const {
    return Join("line ", row_line_, ", ", table_.ColumnName(column));
  }

  const CsvTable& table_;
  const Layout& layout_;
  CsvCursor cursor_;
  size_t row_line_ = 1;
  std::vector<Sink> sinks_;  // one a file column
  std::shared_ptr<float[]> x_;
  TableRows rows_;
  NotFinite not_finite_;
};

}  // namespace

TableRows CsvTable::ReadNext(const Layout& layout, size_t most) {
  Drop();
  CsvRows rows(*this, layout);
  rows.Read(most, std::min(most, text_.size() + 1) * layout.features.size());
  taken_ = static_cast<size_t>(rows.cursor().at() - text_.data());
  next_line_ = rows.cursor().line();
  return std::move(rows).Result();
}

TableRows CsvTable::Read(const Layout& layout) const {
  CsvRows rows(*this, layout);
  rows.ReadAll();
  return std::move(rows).Result();
}

}  // namespace gopnet

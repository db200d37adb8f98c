// Reads the rows of a CSV file straight into the float matrix: one pass, no allocation per field.
#include <algorithm>
#include <limits>

#include "base/check.h"
#include "data/field_sink.h"
#include "data/formats/csv.h"

namespace gopnet {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

class CsvRows {
 public:
  CsvRows(const CsvTable& table, const Layout& layout)
      : table_(table),
        layout_(layout),
        cursor_(table.Data()),
        columns_(table.names.size()),
        fields_(table, layout, &rows_) {
    for (size_t k = 0; k < layout.features.size(); ++k) {
      const size_t c = layout.features[k];
      const ColumnHint& hint = table.hints[c];
      const bool fast = table.decimal == "." && !hint.text && !hint.far;
      columns_[c] = {k, kNone, fast && hint.digits == 0, fast ? hint.digits : 0};
    }
    for (size_t k = 0; k < layout.kept.size(); ++k) {
      Goal& goal = columns_[layout.kept[k]];
      goal = {goal.feature, k};
    }
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
    fields_.Check();
  }

  const CsvCursor& cursor() const { return cursor_; }

  TableRows Result() && {
    rows_.x = MatrixView(x_.get(), rows_.count, layout_.features.size());
    rows_.owner = std::move(x_);
    return std::move(rows_);
  }

 private:
  // Where the fields of a file column go: to a feature, to a kept column, to both or nowhere.
  struct Goal {
    size_t feature = kNone, kept = kNone;
    bool plain = false;  // a feature only, of numbers that from_chars reads
    size_t digits = 0;   // or of numbers with this many digits, which may be codes
  };

  void ReadRow(float* x) {
    row_line_ = cursor_.line();
    const size_t columns = columns_.size();
    size_t c = 0;
    do {
      if (c == columns) return SkipTrailing();
      const Goal goal = columns_[c];
      const bool taken = goal.plain ? cursor_.TakeNumber(x + goal.feature)
                                    : goal.digits > 0 && TakeDigits(goal, x);
      if (!taken) ReadField(c, x);
      ++c;
    } while (!cursor_.EndField());
    if (c != columns) FailWidth(c);
  }

  // Separators at the end of a row, with nothing behind them.
  void SkipTrailing() {
    size_t extra = 0;
    bool blank = true;
    do {
      blank &= cursor_.Take().empty();
      ++extra;
    } while (!cursor_.EndField());
    if (extra > table_.trailing() || !blank) FailWidth(columns_.size() + extra);
  }

  [[noreturn]] void FailWidth(size_t found) const {
    Fail(table_.source, ": line ", row_line_, " has ", found, found == 1 ? " field" : " fields",
         "; expected ", columns_.size(), " as in line ", table_.table_line());
  }

  // Digits without a zero in front.
  bool TakeDigits(const Goal& goal, float* x) {
    const char* begin = cursor_.at();
    if (cursor_.done() || *begin == '0' || !cursor_.TakeNumber(x + goal.feature)) return false;
    const auto size = static_cast<size_t>(cursor_.at() - begin);
    if (size != goal.digits) rows_.features[goal.feature].apart = true;
    return true;
  }

  // The slow path, for fields that are not plain numbers.
  void ReadField(size_t column, float* x) {
    const std::string_view field = cursor_.Take();
    const size_t feature = columns_[column].feature, kept = columns_[column].kept;
    if (kept != kNone) rows_.kept[kept].text.Add(field);
    if (feature == kNone) return;
    fields_.Add(feature, field, x + feature,
                [&] { return Join("line ", row_line_, ", ", table_.ColumnName(column)); });
  }

  const CsvTable& table_;
  const Layout& layout_;
  CsvCursor cursor_;
  size_t row_line_ = 1;
  std::vector<Goal> columns_;  // of the file
  std::shared_ptr<float[]> x_;
  TableRows rows_;
  FieldSink fields_;
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

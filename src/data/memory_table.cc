// Columns in memory as a Table.
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "data/field.h"
#include "data/table.h"

namespace gopnet {
namespace {

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

class MemoryTable : public Table {
 public:
  MemoryTable(const std::vector<TypedColumn>& columns, bool has_names) : columns_(columns) {
    source = "table";
    named = has_names;
    names = DefaultNames(columns.size());
    Check(!columns.empty(), "table: has no columns");
    decimal = UsesCommas() ? "," : ".";
    for (size_t c = 0; c < columns.size(); ++c) {
      Check(columns[c].numbers.empty() || columns[c].texts.empty(), "table: column '",
            Shown(columns[c].name), "' holds numbers and texts, one of them is wanted");
      if (named) names[c] = columns[c].name;
      Check(Size(c) == Size(0), "table: ", ColumnName(c), " has ", Size(c), " rows, the first has ",
            Size(0));
      file_size += 8 * Size(c);
      hints[c] = HintOf(c);
    }
    CheckColumns(columns.size(), source);
  }

  std::string Where(size_t row) const override { return Join("row ", row, " (from 0)"); }

  TableRows Read(const Layout& layout) const override {
    const size_t width = layout.features.size();
    TableRows rows;
    rows.count = Size(0);
    rows.text.resize(width);
    rows.far.resize(width);
    rows.blanks.resize(width);
    rows.strays.resize(width);
    const std::shared_ptr<float[]> x(new float[rows.count * width]);
    NotFinite not_finite;
    for (size_t k = 0; k < width; ++k) ReadFeature(layout, k, x.get(), &not_finite, &rows);
    not_finite.Check(source, layout.allow_missing);
    rows.x = MatrixView(x.get(), rows.count, width);
    rows.owner = x;
    for (const size_t c : layout.kept) rows.kept.push_back(Kept(c));
    return rows;
  }

 private:
  size_t Size(size_t c) const {
    return std::max(columns_[c].numbers.size(), columns_[c].texts.size());
  }

  // Whether a column of texts holds numbers with decimal commas, and none such with points.
  bool UsesCommas() const {
    constexpr size_t kSample = 1000;
    bool commas = false;
    for (const TypedColumn& column : columns_) {
      size_t known = 0, comma = 0, point = 0, whole = 0;
      for (size_t i = 0; i < std::min(kSample, column.texts.size()); ++i) {
        const std::string& text = column.texts[i];
        const std::string field(WithoutSigns(text, UnitOf(text)));
        known += KindOf(field) != FieldKind::kMissing;
        double ignored;  // 1,234 is a thousand and more, as in a text file
        const bool thousands = ParseNumberField(field, {}, &ignored) == FieldKind::kNumber;
        comma += HasDecimal(field, ',') && !thousands;
        if (thousands) ++(HasDecimal(field, '.') ? point : whole);
      }
      const bool numbers =
          static_cast<double>(comma + point + whole) >= 0.95 * static_cast<double>(known);
      if (numbers && point > 0) return false;
      commas |= numbers && comma > 0;
    }
    return commas;
  }

  // A number, as a text file would have it.
  FieldKind Number(size_t c, size_t row, double* value) const {
    if (!columns_[c].texts.empty())
      return ParseNumberField(columns_[c].texts[row], Style(c), value);
    *value = columns_[c].numbers[row];
    return std::isnan(*value)                       ? FieldKind::kMissing
           : std::isinf(static_cast<float>(*value)) ? FieldKind::kInfinite
                                                    : FieldKind::kNumber;
  }

  ColumnHint HintOf(size_t c) {
    hints.push_back({});
    const std::vector<std::string>& texts = columns_[c].texts;
    hints[c].unit = CommonUnit({texts.begin(), texts.end()});
    size_t fields = 0, numbers = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (size_t i = 0; i < Size(c); ++i) {
      double value;
      const FieldKind kind = Number(c, i, &value);
      fields += kind != FieldKind::kMissing;
      numbers += kind == FieldKind::kNumber || kind == FieldKind::kInfinite;
      if (kind != FieldKind::kNumber) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    return {static_cast<double>(numbers) < 0.95 * static_cast<double>(fields), fields == 0,
            low <= high && IsFar(low, high), hints[c].unit};
  }

  void ReadFeature(const Layout& layout, size_t k, float* x, NotFinite* not_finite,
                   TableRows* rows) const {
    const size_t c = layout.features[k], width = layout.features.size();
    for (size_t i = 0; i < rows->count; ++i) {
      const auto place = [&] { return Join(Where(i), ", ", ColumnName(c)); };
      float& out = x[i * width + k];
      out = kNoNumber;
      if (layout.text[k]) {
        rows->text[k].Add(Text(c, i));
        const bool blank = KindOf(rows->text[k][i]) == FieldKind::kMissing;
        rows->blanks[k] += blank;
        if (blank) not_finite->AddMissing(place);
        continue;
      }
      double value;
      const FieldKind kind = Number(c, i, &value);
      if (kind == FieldKind::kNumber) out = static_cast<float>(value);
      if (layout.far[k]) rows->far[k].push_back(kind == FieldKind::kNumber ? value : kNoNumber);
      if (kind == FieldKind::kMissing) ++rows->blanks[k], not_finite->AddMissing(place);
      if (kind == FieldKind::kInfinite) not_finite->AddInfinite(place);
      if (kind != FieldKind::kText) continue;
      const std::string what = Join(place(), ": '", Shown(columns_[c].texts[i]), "'");
      if (rows->strays[k].count++ == 0) rows->strays[k].first = what;
    }
  }

  // A number is written as a text file would have it.
  std::string Text(size_t c, size_t row) const {
    if (!columns_[c].texts.empty()) return columns_[c].texts[row];
    const double value = columns_[c].numbers[row];
    if (std::isnan(value)) return "";
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  }

  ColumnValues Kept(size_t c) const {
    ColumnValues values;
    if (columns_[c].texts.empty()) {
      values.kind = ColumnValues::Kind::kNumbers;
      values.numbers = columns_[c].numbers;
    }
    for (const std::string& text : columns_[c].texts) values.text.Add(text);
    return values;
  }

  const std::vector<TypedColumn>& columns_;
};

}  // namespace

std::unique_ptr<Table> OpenColumns(const std::vector<TypedColumn>& columns, bool named) {
  return std::make_unique<MemoryTable>(columns, named);
}

}  // namespace gopnet

// Columns in memory as a Table.
#include <charconv>

#include "base/check.h"
#include "data/column_hints.h"
#include "data/field_sink.h"

namespace gopnet {
namespace {

class MemoryTable : public Table {
 public:
  MemoryTable(const std::vector<TypedColumn>& columns, bool has_names, const Schema* like)
      : columns_(columns) {
    source = "table";
    named = has_names;
    names = DefaultNames(columns.size());
    Check(!columns.empty(), "table: has no columns");
    decimal = UsesCommas(like) ? "," : ".";
    for (size_t c = 0; c < columns.size(); ++c) {
      Check(columns[c].numbers.empty() || columns[c].texts.empty(), "table: column '",
            Shown(columns[c].name), "' must hold numbers or texts, not both");
      if (named) names[c] = columns[c].name;
      Check(Size(c) == Size(0), "table: ", ColumnName(c), " has ", Size(c),
            " rows, but the first has ", Size(0));
      file_size += 8 * Size(c);
      const std::vector<std::string>& texts = columns[c].texts;
      hints.push_back(texts.empty() ? HintOfNumbers(columns[c].numbers)
                                    : HintOf({texts.begin(), texts.end()}, decimal[0]));
    }
    CheckColumns(columns.size(), source);
  }

  std::string Where(size_t row) const override { return Join("row ", row, " (from 0)"); }

  TableRows Read(const Layout& layout) const override {
    const size_t width = layout.features.size();
    TableRows rows;
    rows.count = Size(0);
    FieldSink sink(*this, layout, &rows);
    const std::shared_ptr<float[]> x(new float[rows.count * width]);
    for (size_t k = 0; k < width; ++k) {
      const size_t c = layout.features[k];
      for (size_t i = 0; i < rows.count; ++i) {
        const auto place = [&] { return Join(Where(i), ", ", ColumnName(c)); };
        float* out = &x[i * width + k];
        const bool number = columns_[c].texts.empty() && !hints[c].text;
        number ? sink.Add(k, columns_[c].numbers[i], out, place)
               : sink.Add(k, Text(c, i), out, place);
      }
    }
    sink.Check();
    rows.x = MatrixView(x.get(), rows.count, width);
    rows.owner = x;
    for (size_t k = 0; k < layout.kept.size(); ++k) rows.kept[k] = Kept(layout.kept[k]);
    return rows;
  }

 private:
  size_t Size(size_t c) const {
    return std::max(columns_[c].numbers.size(), columns_[c].texts.size());
  }

  // Whether a column of texts holds numbers with decimal commas, and none such with points. New
  // rows have the sign of the training data unless most of them cannot have it.
  bool UsesCommas(const Schema* like) {
    constexpr size_t kSample = 1000;
    const bool trained = like && like->decimal_comma;
    size_t commas = 0, points = 0, unclear = 0;
    std::string example;
    for (const TypedColumn& column : columns_) {
      DecimalSigns signs;
      for (size_t i = 0; i < std::min(kSample, column.texts.size()); ++i)
        signs.Add(column.texts[i]);
      if (!signs.IsNumbers()) continue;
      commas += signs.comma;
      points += signs.point + signs.both;
      unclear += signs.comma_groups + (trained ? signs.point_groups : 0);
      const std::string& other = trained ? signs.only_point : signs.only_comma;
      if (!other.empty()) example = other;
    }
    if (!like) return commas > 0 && points == 0;
    if (example.empty()) return trained && commas + unclear > 0;
    const bool comma = trained ? points <= commas + unclear : commas > points + unclear;
    guesses.push_back(
        {Join("'", Shown(example), "' does not have the decimal sign of the training ",
              "data; the numbers are read with a decimal ", comma ? "comma" : "point"),
         "write all numbers with one decimal sign", true});
    return comma;
  }

  static ColumnHint HintOfNumbers(const std::vector<double>& numbers) {
    ColumnHint hint{.empty = true};
    Range range;
    for (const double value : numbers) {
      hint.empty &= std::isnan(value);
      if (std::isfinite(static_cast<float>(value))) range.Add(value);
    }
    hint.far = range.IsFar();
    return hint;
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

std::unique_ptr<Table> OpenColumns(const std::vector<TypedColumn>& columns, bool named,
                                   const Schema* like) {
  return std::make_unique<MemoryTable>(columns, named, like);
}

}  // namespace gopnet

#include "data/column_hints.h"

#include <map>

#include "data/field.h"
#include "data/roles.h"
#include "data/row_names.h"

namespace gopnet {
namespace {

// The unit of nearly all fields, or nothing. A unit of few fields changes their meaning, so those
// fields are not numbers.
std::string CommonUnit(const std::vector<std::string_view>& fields) {
  std::map<std::string_view, size_t> units;
  size_t known = 0;
  for (const std::string_view field : fields) {
    if (KindOf(field, NumberStyle()) == FieldKind::kMissing) continue;
    ++known;
    ++units[UnitOf(field)];
  }
  for (const auto& [unit, count] : units) {
    if (IsMost(count, known)) return std::string(unit);
  }
  return "";
}

}  // namespace

size_t CodeLength(std::string_view field) {
  field = TrimSpaces(field);
  const bool digits = field.find_first_not_of("0123456789") == std::string_view::npos;
  return digits && field.size() > 1 ? field.size() : 0;
}

ColumnHint HintOf(const std::vector<std::string_view>& fields, char decimal) {
  ColumnHint hint;
  hint.unit = CommonUnit(fields);
  size_t known = 0, numbers = 0;
  Range range;
  bool zero = false;  // before other digits
  for (const std::string_view field : fields) {
    double value;
    const FieldKind kind = ParseNumberField(field, {decimal, hint.unit}, &value);
    if (kind == FieldKind::kMissing) continue;
    ++known;
    if (kind == FieldKind::kText) continue;
    hint.currencies.Add(CurrencyOf(field));
    const size_t length = CodeLength(field);
    if (numbers++ == 0) hint.digits = length;
    if (hint.digits != length) hint.digits = 0;
    zero |= length > 0 && TrimSpaces(field)[0] == '0';
    if (kind == FieldKind::kNumber) range.Add(value);  // an infinite one is an error in its place
  }
  hint.empty = known == 0;
  hint.codes = zero && hint.digits > 0 && IsMost(numbers, known);
  hint.text = hint.codes || !IsMost(numbers, known);
  hint.far = range.IsFar();
  if (hint.text) hint.unit.clear();
  return hint;
}

bool IsForced(const Table& table, size_t column, const ReadOptions& options) {
  return Means(options.categories, table, column) || DateOption(table, column, options);
}

bool CorrectHints(const TableRows& rows, const Layout& layout, const ReadOptions& options,
                  Table* table) {
  bool again = false;
  for (size_t k = 0; k < layout.features.size(); ++k) {
    const size_t c = layout.features[k];
    if (IsForced(*table, c, options)) continue;
    const Feature& feature = rows.features[k];
    ColumnHint& hint = table->hints[c];
    const bool text = hint.text;
    if (text) {
      std::vector<std::string_view> fields;
      for (size_t i = 0; i < feature.text.size(); ++i) fields.push_back(feature.text[i]);
      hint = HintOf(fields, table->Style(c).decimal);
      hint.padded = hint.codes && !IsIdName(table->names[c]) && AreIds(CountTexts(feature.text));
      if (hint.padded) hint.text = hint.codes = false;
      hint.text |= hint.empty;
    } else {
      const size_t known = rows.count - feature.blanks;
      hint.codes = feature.codes > 0 && !feature.apart && !hint.padded;
      hint.text = hint.codes || !IsMost(known - feature.strays.count, known);
    }
    again |= hint.text != text;
  }
  return again;
}

void DecimalSigns::Add(std::string_view given) {
  if (KindOf(given, {}) == FieldKind::kMissing) return;  // also n.a. and similar words
  ++fields;
  const std::string field(WithoutSigns(given, UnitOf(given)));
  if (field.find(',') == std::string::npos) return AddWithoutComma(field);
  const bool groups = HasThousands(field, ',');
  if (groups && (field.find('.') != std::string::npos || field.find(',') != field.rfind(','))) {
    ++both;
    only_point = field;
  } else if (groups && field.find_first_of("123456789") < field.find(',')) {  // not 0,234
    ++comma_groups;
  } else if (HasDecimal(field, ',')) {
    ++comma;
    only_comma = field;
  }
  if ((groups || comma > 0) && example.empty()) example = field;
}

void DecimalSigns::AddWithoutComma(const std::string& field) {
  const size_t at = field.find('.');
  const bool groups = at != std::string::npos && HasThousands(field, '.');
  if (groups && field.find('.', at + 1) != std::string::npos) {  // 1.234.567
    ++comma;
    example = only_comma = field;
  } else if (groups && field.find_first_of("123456789") < at) {  // 0.234 is no thousands
    ++point_groups;
    point_example = field;
  } else if (KindOf(field) == FieldKind::kNumber) {
    ++(at == std::string::npos ? whole : point);
    if (at != std::string::npos) only_point = field;
  }
}

bool DecimalSigns::IsNumbers() const {
  return IsMost(whole + comma + comma_groups + point + point_groups + both, fields);
}

}  // namespace gopnet

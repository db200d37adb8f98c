#include "data/text_columns.h"

#include "data/column_hints.h"
#include "data/dates.h"
#include "data/field.h"
#include "data/roles.h"
#include "data/row_names.h"

namespace gopnet {
namespace {

bool NearlyAllDiffer(const std::vector<std::string_view>& fields) {
  Counts counts;
  size_t known = 0;
  for (const std::string_view field : fields) {
    if (KindOf(field) == FieldKind::kMissing) continue;
    ++counts[field];
    ++known;
  }
  return AreIds(counts.size(), known);
}

bool IsForced(const Table& table, size_t column, const ReadOptions& options) {
  return Means(options.categories, table, column) || DateOption(table, column, options);
}

}  // namespace

const std::string* DateOption(const Table& table, size_t column, const ReadOptions& options) {
  for (const std::string& name : options.dates) {
    if (Means({name}, table, column) || Means({WithoutDateOrder(name)}, table, column))
      return &name;
  }
  return nullptr;
}

bool AreIds(size_t different, size_t known) {
  return known >= kRowsOfIds && static_cast<double>(different) > 0.95 * static_cast<double>(known);
}

std::vector<bool> TextColumns(const Table& table, const std::vector<size_t>& features,
                              const ReadOptions& options) {
  std::vector<bool> text;
  for (const size_t c : features)
    text.push_back(table.hints[c].text || IsForced(table, c, options));
  return text;
}

bool CorrectTextColumns(const TableRows& rows, const ReadOptions& options, Table* table,
                        Layout* layout) {
  bool again = false;
  for (size_t k = 0; k < layout->features.size(); ++k) {
    const size_t c = layout->features[k];
    if (IsForced(*table, c, options)) continue;
    const Feature& feature = rows.features[k];
    ColumnHint& hint = table->hints[c];
    if (layout->text[k]) {
      std::vector<std::string_view> fields;
      for (size_t i = 0; i < feature.text.size(); ++i) fields.push_back(feature.text[i]);
      hint = HintOf(fields, table->Style(c).decimal);
      hint.padded = hint.codes && !IsIdName(table->names[c]) && NearlyAllDiffer(fields);
      if (hint.padded) hint.text = hint.codes = false;
      hint.text |= hint.empty;
    } else {
      const size_t known = rows.count - feature.blanks;
      hint.codes = feature.codes > 0 && !feature.apart && !hint.padded;
      hint.text = hint.codes || !IsMost(known - feature.strays.count, known);
    }
    again |= hint.text != layout->text[k];
    layout->text[k] = hint.text;
    layout->far[k] = hint.far;
  }
  return again;
}

}  // namespace gopnet

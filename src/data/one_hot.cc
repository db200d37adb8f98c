#include "data/one_hot.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/check.h"
#include "data/field.h"

namespace gopnet {
namespace {

constexpr size_t kMostCategories =
    1000;  // more are names or identifiers, and would fill the memory

// Numbers that encoding may make of a file: many a byte, so that it is no way to fill the memory.
constexpr size_t kMostNumbers = size_t{1} << 25;
constexpr size_t kMostPerByte = 50;

void CheckRoom(size_t rows, size_t features, const Table& table) {
  const size_t most = std::max(kMostNumbers, kMostPerByte * table.file_size);
  Check(features <= most / std::max<size_t>(1, rows), table.source, ": ", rows,
        " rows with text columns one-hot encoded would have ", features,
        " features or more, too many for a file of ", table.file_size,
        " bytes; leave columns of names or identifiers out");
}

bool IsMissing(std::string_view field) {
  float ignored;
  return ParseField(field, &ignored) == FieldKind::kMissing;
}

// Writes the features of one category; they are 0 before.
void Encode(std::string_view field, const std::vector<std::string>& categories, float* out) {
  if (IsMissing(field)) {
    std::fill_n(out, categories.size(), std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const auto found = std::ranges::lower_bound(categories, field);
  if (found != categories.end() && *found == field) out[found - categories.begin()] = 1;
}

Matrix Expand(const TableRows& rows, const Schema& schema) {
  Matrix x(rows.count, schema.features());
  for (size_t i = 0; i < rows.count; ++i) {
    float* out = x.Row(i);
    for (size_t k = 0; k < schema.columns.size(); ++k) {
      const std::vector<std::string>& categories = schema.columns[k].categories;
      if (categories.empty()) {
        *out++ = rows.x.Row(i)[k];
      } else {
        Encode(rows.text[k][i], categories, out);
        out += categories.size();
      }
    }
  }
  return x;
}

}  // namespace

void SetCategories(const TableRows& rows, const Table& table, const std::vector<size_t>& columns,
                   Schema* schema) {
  size_t features = rows.text.size();
  for (size_t k = 0; k < rows.text.size(); ++k) {
    std::set<std::string_view> categories;
    for (size_t i = 0; i < rows.text[k].size(); ++i) {
      const std::string_view field = rows.text[k][i];
      if (!IsMissing(field)) categories.insert(field);
      if (categories.size() > kMostCategories) {
        Fail(table.source, ": ", table.ColumnName(columns[k]), " holds more than ", kMostCategories,
             " categories");
      }
    }
    features += categories.size();
    if (!categories.empty()) CheckRoom(rows.count, features, table);
    schema->columns[k].categories.assign(categories.begin(), categories.end());
  }
}

void SetFeatures(TableRows rows, const Table& table, Dataset* data) {
  data->x = rows.x;
  data->owner = rows.owner;
  if (std::ranges::all_of(rows.text, [](const auto& text) { return text.empty(); })) return;
  CheckRoom(rows.count, data->schema.features(), table);
  const auto x = std::make_shared<Matrix>(Expand(rows, data->schema));
  data->x = *x;
  data->owner = x;
}

}  // namespace gopnet

// From a table to a Dataset: gives its columns roles, reads the rows, and makes of
// them features, targets and weights.
#include <algorithm>
#include <limits>
#include <set>

#include "base/check.h"
#include "data/field.h"
#include "data/roles.h"
#include "data/table.h"
#include "data/targets.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

constexpr size_t kMostCategories = 1000;  // of a column; more are names or identifiers
// How many numbers encoding may make of a file, so that a small file cannot fill the memory: so
// many of any file, or so many for each of its bytes.
constexpr size_t kMostNumbers = size_t{1} << 25;
constexpr size_t kMostPerByte = 50;

Schema NewSchema(const Table& table, const Roles& roles, const ReadOptions& options) {
  if (options.like) return *options.like;
  Schema schema;
  schema.named = table.named;
  schema.fill_missing = options.fill_missing;
  for (const size_t c : roles.features) schema.columns.push_back({table.names[c], {}});
  if (table.named) {
    for (const size_t c : roles.targets) schema.targets.push_back(table.names[c]);
  }
  return schema;
}

Layout MakeLayout(const Roles& roles, const Schema& schema, const ReadOptions& options) {
  Layout layout;
  layout.features = roles.features;
  for (const Column& column : schema.columns) layout.text.push_back(!column.categories.empty());
  layout.kept = roles.targets;
  if (roles.weight) layout.kept.push_back(*roles.weight);
  layout.allow_text = options.categorical && !options.like;
  layout.allow_missing = schema.fill_missing;
  layout.advice = options.like
                      ? ", as this column was in the data trained on"
                      : "; --categorical accepts text, --target names the column to predict";
  return layout;
}

void CheckRoom(size_t rows, size_t features, const Table& table) {
  const size_t most = std::max(kMostNumbers, kMostPerByte * table.file_size);
  Check(features <= most / std::max<size_t>(1, rows), table.source, ": ", rows,
        " rows with text columns one-hot encoded would have ", features,
        " features or more, too many for a file of ", table.file_size,
        " bytes; leave columns of names or identifiers out");
}

// Writes the features of one category; they are 0 before. One that the schema does not list gives
// zeros; a missing one NaN, to be filled by the mean like a missing number.
void Encode(std::string_view field, const std::vector<std::string>& categories, float* out) {
  if (KindOf(field) == FieldKind::kMissing) {
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

// Lists the categories of the text columns in the schema, in bytewise order. `table` and `columns`
// (their places in the file) are for messages.
void SetCategories(const TableRows& rows, const Table& table, const std::vector<size_t>& columns,
                   Schema* schema) {
  size_t features = rows.text.size();
  for (size_t k = 0; k < rows.text.size(); ++k) {
    std::set<std::string_view> categories;
    for (size_t i = 0; i < rows.text[k].size(); ++i) {
      const std::string_view field = rows.text[k][i];
      if (KindOf(field) != FieldKind::kMissing) categories.insert(field);
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

// Text columns become 0/1 features, each in the place of its column.
void SetFeatures(TableRows rows, const Table& table, Dataset* data) {
  data->x = rows.x;
  data->owner = rows.owner;
  if (std::ranges::all_of(rows.text, [](const auto& text) { return text.empty(); })) return;
  CheckRoom(rows.count, data->schema.features(), table);
  const auto x = std::make_shared<Matrix>(Expand(rows, data->schema));
  data->x = *x;
  data->owner = x;
}

// The columns of a file that goes with `rows` rows of features.
std::vector<SourceColumn> ReadAll(const Table& table, size_t rows, const std::string& features) {
  Layout layout;
  for (size_t c = 0; c < table.names.size(); ++c) layout.kept.push_back(c);
  TableRows read = table.Read(layout);
  Check(read.count == rows, table.source, ": has ", read.count, " rows, ", features, " has ", rows);
  std::vector<SourceColumn> columns;
  for (const size_t c : layout.kept) columns.push_back({table, c, std::move(read.kept[c])});
  return columns;
}

void ReadLabels(const ReadOptions& options, Dataset* data) {
  const auto table = OpenTable(options.labels_path, {nullptr, data->rows()});
  SetTargets(ReadAll(*table, data->rows(), data->source), options.task, data);
}

void ReadWeights(const ReadOptions& options, Dataset* data) {
  Check(options.weight_column.empty(), options.weights_path,
        ": a weights file and a weight column '", options.weight_column, "' are both given");
  const auto table = OpenTable(options.weights_path, {nullptr, data->rows()});
  std::vector<SourceColumn> columns = ReadAll(*table, data->rows(), data->source);
  Check(columns.size() == 1, table->source, ": has ", columns.size(), " columns, one is wanted");
  SetWeights(std::move(columns[0]), data);
}

void TakeKept(const Table& table, const Roles& roles, const ReadOptions& options, TableRows* rows,
              Dataset* data) {
  if (roles.weight) SetWeights({table, *roles.weight, std::move(rows->kept.back())}, data);
  if (roles.targets.empty()) return;
  std::vector<SourceColumn> targets;
  for (size_t k = 0; k < roles.targets.size(); ++k) {
    targets.push_back({table, roles.targets[k], std::move(rows->kept[k])});
  }
  SetTargets(std::move(targets), options.task, data);
}

// Model files hold these texts, and hold UTF-8 only.
void CheckText(const Dataset& data) {
  const auto check = [&](const std::string& text, const char* what) {
    Check(IsUtf8(text), data.source, ": ", what, " '", Shown(text), "' is not UTF-8 text");
  };
  for (const std::string& label : data.classes) check(label, "label");
  for (const std::string& name : data.schema.targets) check(name, "column name");
  for (const Column& column : data.schema.columns) {
    check(column.name, "column name");
    for (const std::string& category : column.categories) check(category, "category");
  }
}

}  // namespace

Dataset ReadTable(const Table& table, const ReadOptions& options) {
  Check(table.unfit.empty(), table.source, ": ", table.unfit);
  const Roles roles = AssignRoles(table, options);
  Dataset data;
  data.source = table.source;
  data.schema = NewSchema(table, roles, options);
  TableRows rows = table.Read(MakeLayout(roles, data.schema, options));
  if (!options.like) SetCategories(rows, table, roles.features, &data.schema);
  TakeKept(table, roles, options, &rows, &data);
  SetFeatures(std::move(rows), table, &data);
  if (options.need_targets && !options.labels_path.empty()) ReadLabels(options, &data);
  if (!options.weights_path.empty()) ReadWeights(options, &data);
  CheckText(data);
  return data;
}

}  // namespace gopnet

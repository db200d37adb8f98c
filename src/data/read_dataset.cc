// From files to a Dataset: opens the table, gives its columns roles, reads the rows, and makes of
// them features, targets and weights.
#include "base/check.h"
#include "data/field.h"
#include "data/one_hot.h"
#include "data/roles.h"
#include "data/table.h"
#include "data/targets.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

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

Dataset ReadDataset(const std::string& path, const ReadOptions& options) {
  return ReadTable(*OpenTable(path, {options.like, std::nullopt}), options);
}

}  // namespace gopnet

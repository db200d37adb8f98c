// Data sets of arrays in memory, and what a schema says about features.
#include "gopnet/dataset.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "data/labels.h"
#include "data/table.h"

namespace gopnet {
namespace {

template <class T>
std::vector<T> SortedUnique(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <class T>
std::vector<int32_t> IndicesIn(const std::vector<T>& sorted, const std::vector<T>& labels) {
  std::vector<int32_t> indices(labels.size());
  std::transform(labels.begin(), labels.end(), indices.begin(), [&](const T& label) {
    return static_cast<int32_t>(std::ranges::lower_bound(sorted, label) - sorted.begin());
  });
  return indices;
}

void CheckCount(const MatrixView& x, size_t count, const char* what) {
  Check(x.rows == count, "data set: ", x.rows, " rows of features but ", count, " ", what);
}

}  // namespace

size_t Schema::features() const {
  size_t count = 0;
  for (const Column& column : columns) count += std::max<size_t>(1, column.categories.size());
  return count;
}

std::vector<std::string> Schema::FeatureNames() const {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (column.categories.empty()) names.push_back(column.name);
    for (const std::string& category : column.categories) {
      names.push_back(Join(column.name, "=", category));
    }
  }
  return names;
}

void SetLabels(const std::vector<int64_t>& labels, Dataset* data) {
  const std::vector<int64_t> classes = SortedUnique(labels);
  data->task = Task::kClassification;
  data->integer_classes = true;
  data->labels = IndicesIn(classes, labels);
  for (const int64_t label : classes) data->classes.push_back(std::to_string(label));
}

void SetLabels(const std::vector<std::string>& labels, Dataset* data) {
  data->task = Task::kClassification;
  data->classes = SortedUnique(labels);
  data->labels = IndicesIn(data->classes, labels);
}

void SetLabels(const Texts& labels, Dataset* data) {
  std::set<std::string_view> classes;
  for (size_t i = 0; i < labels.size(); ++i) classes.insert(labels[i]);
  data->task = Task::kClassification;
  data->classes.assign(classes.begin(), classes.end());
  data->labels.reserve(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::ranges::lower_bound(data->classes, labels[i]);
    data->labels.push_back(static_cast<int32_t>(found - data->classes.begin()));
  }
}

Dataset MakeDataset(MatrixView x) {
  Dataset data;
  data.x = x;
  for (const std::string& name : DefaultNames(x.cols)) data.schema.columns.push_back({name, {}});
  return data;
}

Dataset MakeDataset(MatrixView x, const std::vector<std::string>& labels) {
  CheckCount(x, labels.size(), "labels");
  Dataset data = MakeDataset(x);
  SetLabels(labels, &data);
  return data;
}

Dataset MakeDataset(MatrixView x, const std::vector<int64_t>& labels) {
  CheckCount(x, labels.size(), "labels");
  Dataset data = MakeDataset(x);
  SetLabels(labels, &data);
  return data;
}

Dataset MakeDataset(MatrixView x, Matrix targets) {
  CheckCount(x, targets.rows(), "targets");
  Dataset data = MakeDataset(x);
  data.task = Task::kRegression;
  data.targets = std::move(targets);
  return data;
}

}  // namespace gopnet

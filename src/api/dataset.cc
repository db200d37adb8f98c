#include "gopnet/dataset.h"

#include <algorithm>

#include "base/check.h"
#include "base/file_map.h"
#include "data/table.h"
#include "data/targets.h"

namespace gopnet {
namespace {

void CheckCount(const MatrixView& x, size_t count, const char* what) {
  Check(x.rows == count, "data set: ", x.rows, " rows of features but ", count, " ", what);
}

template <class Label>
Dataset Labelled(MatrixView x, const std::vector<Label>& labels) {
  CheckCount(x, labels.size(), "labels");
  Dataset data = MakeDataset(x);
  SetLabels(labels, &data);
  return data;
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

Dataset ReadDataset(const std::string& path, const ReadOptions& options) try {
  Dataset data = ReadTable(*OpenTable(path, {options.like, std::nullopt}), options);
  CheckMapsWhole();
  return data;
} catch (const Error&) {
  CheckMapsWhole();  // the better reason
  throw;
}

Dataset MakeDataset(MatrixView x) {
  Dataset data;
  data.x = x;
  for (const std::string& name : DefaultNames(x.cols)) data.schema.columns.push_back({name, {}});
  return data;
}

Dataset MakeDataset(MatrixView x, const std::vector<std::string>& labels) {
  return Labelled(x, labels);
}
Dataset MakeDataset(MatrixView x, const std::vector<int64_t>& labels) {
  return Labelled(x, labels);
}

Dataset MakeDataset(MatrixView x, Matrix targets) {
  CheckCount(x, targets.rows(), "targets");
  Dataset data = MakeDataset(x);
  data.task = Task::kRegression;
  data.targets = std::move(targets);
  return data;
}

}  // namespace gopnet

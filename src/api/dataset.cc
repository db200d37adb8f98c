#include "gopnet/dataset.h"

#include <algorithm>

#include "base/check.h"
#include "base/file_map.h"
#include "data/dates.h"
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

size_t Column::features() const {
  size_t count = 1;
  if (!date.empty()) {
    count = DateFeatures(*this);
  } else if (other || !categories.empty()) {
    count = categories.size() + (other ? 1 : 0);
  }
  return count + (indicator ? 1 : 0);
}

size_t Schema::features() const {
  size_t count = 0;
  for (const Column& column : columns) count += column.features();
  return count;
}

std::vector<std::string> Schema::FeatureNames() const {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (!column.date.empty()) {
      for (std::string& name : DateFeatureNames(column)) names.push_back(std::move(name));
    } else if (column.categories.empty() && !column.other) {
      names.push_back(column.name);
    }
    for (const std::string& category : column.categories) {
      names.push_back(Join(column.name, "=", category));
    }
    if (column.other) names.push_back(column.name + "=other");
    if (column.indicator) names.push_back(column.name + " missing");
  }
  return names;
}

Dataset ReadDataset(const std::string& path, const ReadOptions& options) try {
  Dataset data = ReadTable(*OpenTable(path, HintsOf(options)), options);
  CheckMapsWhole();
  return data;
} catch (const Error&) {
  CheckMapsWhole();  // the better reason
  throw;
}

Dataset MakeDataset(const std::vector<TypedColumn>& columns, const ReadOptions& options,
                    bool named) {
  return ReadTable(*OpenColumns(columns, named, options.like), options);
}

Dataset MakeDataset(MatrixView x) {
  Dataset data;
  data.x = x;
  for (const std::string& name : DefaultNames(x.cols)) data.schema.columns.push_back({name});
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

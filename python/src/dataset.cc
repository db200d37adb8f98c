#include "src/dataset.h"

#include <pybind11/stl.h>

#include "src/bind.h"

namespace gopnet::python {
namespace {

using Names = std::vector<std::string>;

// columns: names of the features, none for arrays without; targets: of the target columns.
ArrayDataset MakeRows(const Floats& x, const std::optional<Floats>& weights, const Names& columns,
                      const Names& targets) {
  ArrayDataset set{MakeDataset(View(x, "X")), x};
  Schema& schema = set.data.schema;
  if (!columns.empty() && columns.size() != set.data.features())
    throw py::value_error("columns: one name for each column of X is wanted");
  for (size_t j = 0; j < columns.size(); ++j) schema.columns[j].name = columns[j];
  schema.named = !columns.empty();
  schema.targets = targets;
  if (weights) set.data.weights.assign(weights->data(), weights->data() + weights->size());
  return set;
}

ArrayDataset Classification(const Floats& x, const Labels& labels, const Names& classes,
                            bool integer_classes, const std::optional<Floats>& weights,
                            const Names& columns, const Names& targets, bool boolean_labels) {
  ArrayDataset set = MakeRows(x, weights, columns, targets);
  set.boolean_labels = boolean_labels;
  set.data.task = Task::kClassification;
  set.data.labels.assign(labels.data(), labels.data() + labels.size());
  set.data.classes = classes;
  set.data.integer_classes = integer_classes;
  return set;
}

ArrayDataset Regression(const Floats& x, const Floats& y, const std::optional<Floats>& weights,
                        const Names& columns, const Names& targets) {
  ArrayDataset set = MakeRows(x, weights, columns, targets);
  const MatrixView values = View(y, "y");
  set.data.task = Task::kRegression;
  set.data.targets = Matrix(values.rows, values.cols);
  std::copy_n(values.data, values.rows * values.cols, set.data.targets.data());
  return set;
}

}  // namespace

void BindDataset(py::module_& m) {
  py::class_<ArrayDataset>(m, "Dataset", NotFromPython());
  const auto x = py::arg("x").noconvert();
  const auto weights = py::arg("weights").noconvert() = py::none();
  m.def("classification", &Classification, x, py::arg("labels").noconvert(), py::arg("classes"),
        py::arg("integer_classes"), weights, py::arg("columns") = Names{},
        py::arg("targets") = Names{}, py::arg("boolean_labels") = false);
  m.def("regression", &Regression, x, py::arg("y").noconvert(), weights,
        py::arg("columns") = Names{}, py::arg("targets") = Names{});
}

}  // namespace gopnet::python

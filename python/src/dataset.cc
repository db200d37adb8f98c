#include "src/dataset.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "src/bind.h"

namespace gopnet::python {
namespace {

using Names = std::vector<std::string>;

// columns: names of the features, empty for arrays; targets: names of the target columns. `encoded`
// is the schema by which EncodeTable encoded x; if null, every column of x is a number.
ArrayDataset MakeRows(const Floats& x, const std::optional<Floats>& weights, const Names& columns,
                      const Names& targets, const Schema* encoded) {
  ArrayDataset set{MakeDataset(View(x, "X")), x};
  Schema& schema = set.data.schema;
  if (weights) set.data.weights.assign(weights->data(), weights->data() + weights->size());
  if (encoded != nullptr) {
    if (encoded->features() != set.data.features())
      throw py::value_error("schema: must have one feature for each column of X");
    schema = *encoded;
    schema.targets = targets;
    return set;
  }
  if (!columns.empty() && columns.size() != set.data.features())
    throw py::value_error("columns: must have one name for each column of X");
  for (size_t j = 0; j < columns.size(); ++j) schema.columns[j].name = columns[j];
  schema.named = !columns.empty();
  schema.targets = targets;
  return set;
}

ArrayDataset Classification(const Floats& x, const Labels& labels, const Names& classes,
                            bool integer_classes, const std::optional<Floats>& weights,
                            const Names& columns, const Names& targets, bool boolean_labels,
                            const Schema* schema) {
  ArrayDataset set = MakeRows(x, weights, columns, targets, schema);
  set.boolean_labels = boolean_labels;
  set.data.task = Task::kClassification;
  set.data.labels.assign(labels.data(), labels.data() + labels.size());
  set.data.classes = classes;
  set.data.integer_classes = integer_classes;
  return set;
}

// The offset that the table reader subtracts from these numbers before it rounds them to float32.
double OffsetOf(std::vector<double> numbers) {
  const ReadOptions options{.need_targets = false};
  return MakeDataset({{"y", std::move(numbers)}}, options).schema.columns[0].offset;
}

ArrayDataset Regression(const Floats& x, const Doubles& y, const std::optional<Floats>& weights,
                        const Names& columns, const Names& targets, const Schema* schema) {
  ArrayDataset set = MakeRows(x, weights, columns, targets, schema);
  const auto values = y.unchecked<2>();
  const auto rows = static_cast<size_t>(values.shape(0)),
             cols = static_cast<size_t>(values.shape(1));
  set.data.task = Task::kRegression;
  set.data.targets = Matrix(rows, cols);
  std::vector<double> offsets;
  for (size_t q = 0; q < cols; ++q) {
    std::vector<double> column(rows);
    for (size_t i = 0; i < rows; ++i) column[i] = values(i, q);
    offsets.push_back(OffsetOf(column));
    for (size_t i = 0; i < rows; ++i)
      set.data.targets(i, q) = static_cast<float>(column[i] - offsets[q]);
  }
  const bool far = std::ranges::any_of(offsets, [](double offset) { return offset != 0; });
  if (far) set.data.target_offset = offsets;
  return set;
}

}  // namespace

void BindDataset(py::module_& m) {
  py::class_<ArrayDataset>(m, "Dataset", NotFromPython())
      .def_property_readonly("schema", [](const ArrayDataset& set) { return set.data.schema; });
  const auto x = py::arg("x").noconvert();
  const auto weights = py::arg("weights").noconvert() = py::none();
  m.def("classification", &Classification, x, py::arg("labels").noconvert(), py::arg("classes"),
        py::arg("integer_classes"), weights, py::arg("columns") = Names{},
        py::arg("targets") = Names{}, py::arg("boolean_labels") = false,
        py::arg("schema") = py::none());
  m.def("regression", &Regression, x, py::arg("y").noconvert(), weights,
        py::arg("columns") = Names{}, py::arg("targets") = Names{}, py::arg("schema") = py::none());
}

}  // namespace gopnet::python

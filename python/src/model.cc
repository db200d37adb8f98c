// gopnet::Model. Every prediction releases the interpreter lock, so other Python threads can run.
#include "gopnet/model.h"

#include <pybind11/stl.h>

#include "gopnet/export.h"
#include "src/arrays.h"
#include "src/bind.h"
#include "src/without_interpreter.h"

namespace gopnet::python {
namespace {

using Predict = Matrix (Model::*)(MatrixView, int) const;

template <Predict kPredict>
py::array Call(const Model& model, const Floats& x) {
  const MatrixView rows = View(x, "X");
  Matrix result;
  {
    const WithoutInterpreter released;
    result = (model.*kPredict)(rows, 1);
  }
  return ToArray(std::move(result));
}

py::array PredictClass(const Model& model, const Floats& x) {
  const MatrixView rows = View(x, "X");
  std::vector<int> classes;
  {
    const WithoutInterpreter released;
    classes = model.PredictClass(rows);
  }
  return py::array_t<int>(static_cast<py::ssize_t>(classes.size()), classes.data());
}

// In original units and float64, so that values far from 0 keep their digits.
py::array PredictValues(const Model& model, const Floats& x) {
  const MatrixView rows = View(x, "X");
  std::vector<double> values;
  {
    const WithoutInterpreter released;
    values = model.PredictValues(rows);
  }
  return py::array_t<double>({rows.rows, model.outputs()}, values.data());
}

}  // namespace

void BindModel(py::module_& m) {
  const auto x = py::arg("x").noconvert();
  py::class_<Model>(m, "Model", NotFromPython())
      .def_static("load", &Model::Load, py::arg("path"), py::call_guard<WithoutInterpreter>())
      .def("save", &Model::Save, py::arg("path"), py::call_guard<WithoutInterpreter>())
      .def_static(
          "from_bytes", [](const py::bytes& bytes) { return Model::FromBytes(bytes); },
          py::arg("bytes"))
      .def("to_bytes", [](const Model& model) { return py::bytes(model.ToBytes()); })
      .def("to_onnx",
           [](const Model& model, bool double_precision) {
             return py::bytes(ExportOnnx(model, double_precision));
           })
      .def("to_c",
           [](const Model& model, const std::string& prefix, const std::string& header_name) {
             const CFiles files = ExportC(model, prefix, header_name);
             return std::pair(files.source, files.header);
           })
      .def("to_html", [](const Model& model) { return ExportHtml(model); })
      .def("is_classifier",
           [](const Model& model) { return model.task() == Task::kClassification; })
      .def("inputs", &Model::inputs)
      .def("n_hidden", &Model::hidden)
      .def("classes", &Model::classes)
      .def("integer_classes", &Model::integer_classes)
      .def("boolean_classes", &Model::boolean_classes)
      .def("schema", &Model::schema)
      .def("json", &Model::Json)
      .def("predict", &Call<&Model::Predict>, x)
      .def("decision", &Call<&Model::Decision>, x)
      .def("features", &Call<&Model::Features>, x)
      .def("predict_values", &PredictValues, x)
      .def("predict_class", &PredictClass, x);
}

}  // namespace gopnet::python

// gopnet::Model. Every prediction releases the interpreter: other Python threads go on.
#include "gopnet/model.h"

#include <pybind11/stl.h>

#include "src/arrays.h"
#include "src/bind.h"

namespace gopnet::python {
namespace {

using Predict = Matrix (Model::*)(MatrixView) const;

template <Predict kPredict>
py::array Call(const Model& model, const Floats& x) {
  const MatrixView rows = View(x, "X");
  Matrix result;
  {
    const py::gil_scoped_release release;
    result = (model.*kPredict)(rows);
  }
  return ToArray(std::move(result));
}

py::array PredictClass(const Model& model, const Floats& x) {
  const MatrixView rows = View(x, "X");
  std::vector<int> classes;
  {
    const py::gil_scoped_release release;
    classes = model.PredictClass(rows);
  }
  return py::array_t<int>(static_cast<py::ssize_t>(classes.size()), classes.data());
}

}  // namespace

void BindModel(py::module_& m) {
  const auto x = py::arg("x").noconvert();
  py::class_<Model>(m, "Model")
      .def_static("load", &Model::Load, py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def("save", &Model::Save, py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def_static(
          "from_bytes", [](const py::bytes& bytes) { return Model::FromBytes(bytes); },
          py::arg("bytes"))
      .def("to_bytes", [](const Model& model) { return py::bytes(model.ToBytes()); })
      .def("is_classifier",
           [](const Model& model) { return model.task() == Task::kClassification; })
      .def("inputs", &Model::inputs)
      .def("n_hidden", &Model::hidden)
      .def("classes", &Model::classes)
      .def("integer_classes", &Model::integer_classes)
      .def("fills_missing", [](const Model& model) { return model.schema().fill_missing; })
      .def("json", &Model::Json)
      .def("predict", &Call<&Model::Predict>, x)
      .def("decision", &Call<&Model::Decision>, x)
      .def("features", &Call<&Model::Features>, x)
      .def("predict_class", &PredictClass, x);
}

}  // namespace gopnet::python

// The extension module gopnet._core: the public C++ functions, for the Python files of the package.
#include "gopnet/gopnet.h"
#include "src/bind.h"
#include "src/without_interpreter.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, m) {
  // Users see gopnet.Error, not gopnet._core.Error.
  const auto error = py::register_exception<gopnet::Error>(m, "Error", PyExc_ValueError);
  py::register_exception<gopnet::AlreadyFinished>(m, "AlreadyFinished", error);
  py::register_exception<gopnet::Stopped>(m, "Stopped", PyExc_RuntimeError);
  for (const char* name : {"Error", "Stopped"}) m.attr(name).attr("__module__") = "gopnet";
  m.attr("Error").attr("__doc__") =
      "An error that the caller can fix. The message says what was given and what is expected.";
  m.attr("Stopped").attr("__doc__") = "Training was stopped before there was a network to return.";
  gopnet::python::Running::Bind(m);
  gopnet::python::BindRegistry(m);
  gopnet::python::BindTable(m);
  gopnet::python::BindModel(m);
  gopnet::python::BindDataset(m);
  gopnet::python::BindTrain(m);
}

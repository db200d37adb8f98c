// The extension module gopnet._core: the public C++ functions, as the Python files of the package
// need them.
#include "gopnet/gopnet.h"
#include "src/bind.h"
#include "src/without_interpreter.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, m) {
  // Users see gopnet.Error, whichever module makes it.
  py::register_exception<gopnet::Error>(m, "Error", PyExc_ValueError);
  py::register_exception<gopnet::Stopped>(m, "Stopped", PyExc_RuntimeError);
  for (const char* name : {"Error", "Stopped"}) m.attr(name).attr("__module__") = "gopnet";
  m.attr("Error").attr("__doc__") =
      "Something that the caller can fix: the message names what was given and what is wanted.";
  m.attr("Stopped").attr("__doc__") = "Training ended early, before there was a network to keep.";
  gopnet::python::Running::Bind(m);
  gopnet::python::BindRegistry(m);
  gopnet::python::BindTable(m);
  gopnet::python::BindModel(m);
  gopnet::python::BindDataset(m);
  gopnet::python::BindTrain(m);
}

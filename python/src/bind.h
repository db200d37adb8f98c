// The functions by which each file of the extension adds to the module.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>

#include "gopnet/params.h"

namespace gopnet::python {

// For classes that only C++ may create: an object from Class.__new__ would be empty.
inline pybind11::custom_type_setup NotFromPython() {
  return pybind11::custom_type_setup([](PyHeapTypeObject* type) {
    type->ht_type.tp_new = [](PyTypeObject* t, PyObject*, PyObject*) -> PyObject* {
      PyErr_Format(PyExc_TypeError, "%s: No constructor defined!", t->tp_name);
      return nullptr;
    };
  });
}

Params ToParams(const std::map<std::string, std::string>& values);

void BindRegistry(pybind11::module_& m);
void BindTable(pybind11::module_& m);
void BindModel(pybind11::module_& m);
void BindDataset(pybind11::module_& m);
void BindTrain(pybind11::module_& m);

}  // namespace gopnet::python

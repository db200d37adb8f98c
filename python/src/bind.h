// What each file of the extension adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace gopnet::python {

void BindRegistry(pybind11::module_& m);
void BindModel(pybind11::module_& m);
void BindDataset(pybind11::module_& m);
void BindTrain(pybind11::module_& m);

}  // namespace gopnet::python

// NumPy arrays seen as matrices, and matrices handed over as arrays: no number is copied either
// way.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "gopnet/matrix.h"

namespace gopnet::python {

namespace py = pybind11;

// Arguments of this type are declared noconvert: pybind11 then takes no array of another type or
// order, and copies none.
using Floats = py::array_t<float, py::array::c_style>;
using Doubles = py::array_t<double, py::array::c_style>;
using Labels = py::array_t<int32_t, py::array::c_style>;

// A view of a two-dimensional array; TypeError for anything else.
inline MatrixView View(const Floats& array, const char* name) {
  const bool aligned = array.attr("flags").attr("aligned").cast<bool>();
  if (array.ndim() != 2 || !aligned)
    throw py::type_error(std::string(name) + ": an aligned array of two dimensions is wanted");
  return {array.data(), static_cast<size_t>(array.shape(0)), static_cast<size_t>(array.shape(1))};
}

// The array owns the matrix.
inline py::array ToArray(Matrix&& matrix) {
  auto* kept = new Matrix(std::move(matrix));
  const py::capsule owner(kept, [](void* m) { delete static_cast<Matrix*>(m); });
  return py::array_t<float>({kept->rows(), kept->cols()}, kept->data(), owner);
}

}  // namespace gopnet::python

// Converts between NumPy arrays and matrices without copying.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "gopnet/matrix.h"

namespace gopnet::python {

namespace py = pybind11;

// Arguments of these types are declared noconvert, so pybind11 rejects arrays of another type or
// order instead of copying them.
using Floats = py::array_t<float, py::array::c_style>;
using Doubles = py::array_t<double, py::array::c_style>;
using Labels = py::array_t<int32_t, py::array::c_style>;

// A view of a two-dimensional array. Throws TypeError for anything else.
inline MatrixView View(const Floats& array, const char* name) {
  const bool aligned = array.attr("flags").attr("aligned").cast<bool>();
  if (array.ndim() != 2 || !aligned)
    throw py::type_error(std::string(name) + ": must be an aligned two-dimensional array");
  return {array.data(), static_cast<size_t>(array.shape(0)), static_cast<size_t>(array.shape(1))};
}

// Returns an array that owns the matrix.
inline py::array ToArray(Matrix&& matrix) {
  auto* kept = new Matrix(std::move(matrix));
  const py::capsule owner(kept, [](void* m) { delete static_cast<Matrix*>(m); });
  return py::array_t<float>({kept->rows(), kept->cols()}, kept->data(), owner);
}

}  // namespace gopnet::python

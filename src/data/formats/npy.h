// Arrays as .npy files: read (NumPy format versions 1 to 3, checked against the file's size) and
// written (version 1.0).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gopnet/matrix.h"

namespace gopnet {

struct NpyArray {
  char kind = 'f';   // NumPy's: b bool, i, u integers, f floats, U, S text
  size_t width = 4;  // bytes an element
  bool fortran = false;
  std::vector<size_t> shape;
  std::string_view data;  // rows x cols elements

  size_t rows() const { return shape[0]; }
  size_t cols() const { return shape.size() == 2 ? shape[1] : 1; }
  const char* At(size_t row, size_t col) const {
    return data.data() + width * (fortran ? col * rows() + row : row * cols() + col);
  }
};

std::string ShapeText(const std::vector<size_t>& shape);  // "(150, 4)", "(150,)"

// Throws Error unless it is an array of one or two dimensions of a known type.
NpyArray ParseNpy(std::string_view bytes, const std::string& source);

// Read one element, by the type of the array.
using GetNumber = double (*)(const char*);
using GetInteger = int64_t (*)(const char*);
GetNumber NumberGetter(const NpyArray& array);    // any number; null for text
GetInteger IntegerGetter(const NpyArray& array);  // bool and integers; null for others
std::string TextAt(const NpyArray& array, const char* element);  // as UTF-8

// The bytes of a .npy file. One column of floats gives shape (N,) if `flat`, else (N, cols).
std::string NpyBytes(const Matrix& values, bool flat = false);
std::string NpyBytes(const std::vector<int64_t>& values);
std::string NpyBytes(const std::vector<std::string>& values);  // '<U', as wide as the longest

}  // namespace gopnet

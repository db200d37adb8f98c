// The header of a .npy file (NumPy format versions 1 to 3), checked against the file's size.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  std::string ShapeText() const;  // "(150, 4)"
};

// Throws Error unless it is an array of one or two dimensions of a known type.
NpyArray ParseNpy(std::string_view bytes, const std::string& source);

}  // namespace gopnet

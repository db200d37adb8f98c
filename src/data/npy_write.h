// Arrays as .npy files (version 1.0).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gopnet/matrix.h"

namespace gopnet {

// The bytes of a .npy file. One column of floats gives shape (N,) if `flat`, else (N, cols).
std::string NpyBytes(const Matrix& values, bool flat = false);
std::string NpyBytes(const std::vector<int64_t>& values);
std::string NpyBytes(const std::vector<std::string>& values);  // '<U', as wide as the longest

}  // namespace gopnet

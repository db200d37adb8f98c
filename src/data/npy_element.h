// One element of a NumPy array, by its type.
#pragma once

#include <cstdint>
#include <string>

#include "data/npy_header.h"

namespace gopnet {

using GetNumber = double (*)(const char*);
using GetInteger = int64_t (*)(const char*);

GetNumber NumberGetter(const NpyArray& array);    // any number; null for text
GetInteger IntegerGetter(const NpyArray& array);  // bool and integers; null for others
std::string TextAt(const NpyArray& array, const char* element);  // as UTF-8

}  // namespace gopnet

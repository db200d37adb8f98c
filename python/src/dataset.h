// A data set whose features stay in the NumPy array of the caller.
#pragma once

#include "gopnet/dataset.h"
#include "src/arrays.h"

namespace gopnet::python {

struct ArrayDataset {
  Dataset data;
  Floats x;  // keeps data.x alive
  bool boolean_labels = false;
};

}  // namespace gopnet::python

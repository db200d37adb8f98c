// A data set whose features stay in the NumPy array that they came in.
#pragma once

#include "gopnet/dataset.h"
#include "src/arrays.h"

namespace gopnet::python {

struct ArrayDataset {
  Dataset data;
  Floats x;  // what data.x looks at
  bool boolean_labels = false;
};

}  // namespace gopnet::python

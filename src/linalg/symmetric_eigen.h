// Eigenvalues and eigenvectors of symmetric matrices, in double. Results are the same for any
// number of threads, since none is used.
#pragma once

#include <functional>
#include <vector>

#include "base/mat.h"

namespace gopnet {

struct EigenPairs {
  std::vector<double> values;  // all of them, descending, negatives clipped to 0
  DenseMatrix vectors;         // those of the first values, one per column, unit norm
};

EigenPairs SymmetricEigen(const DenseMatrix& symmetric);  // every vector

// Computes only the requested vectors, after the values: (2/3) n^3 for the values, 2 n^2 a
// vector and, where values are close, up to 8 n for each of those before it.
using HowMany = std::function<size_t(const std::vector<double>& values)>;
EigenPairs LeadingEigen(const DenseMatrix& symmetric, const HowMany& wanted);

}  // namespace gopnet

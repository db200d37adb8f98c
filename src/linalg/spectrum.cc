#include "linalg/spectrum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/real_math.h"
#include "linalg/gemm.h"
#include "linalg/symmetric_eigen.h"

namespace gopnet {

double LargestDiagonal(const DenseMatrix& m) {
  double largest = 0;
  for (size_t i = 0; i < m.rows(); ++i) largest = std::max(largest, m(i, i));
  return largest;
}

Spectrum::Spectrum(const DenseMatrix& gram, const DenseMatrix& rhs) {
  EigenPairs pairs = SymmetricEigen(gram);
  values_ = std::move(pairs.values);
  vectors_ = std::move(pairs.vectors);
  rhs_ = TransposedTimes(vectors_, rhs);
}

double Spectrum::Inverse(size_t j, double shift) const {
  const double d = values_[j] + shift;
  return d > kSingular * (values_[0] + shift) ? 1 / d : 0.0;
}

DenseMatrix Spectrum::Solve(double shift) const {
  DenseMatrix scaled(rhs_.rows(), rhs_.cols());
  for (size_t j = 0; j < rhs_.rows(); ++j) {
    const double inverse = Inverse(j, shift);
    for (size_t c = 0; c < rhs_.cols(); ++c) scaled(j, c) = inverse * rhs_(j, c);
  }
  return Times(vectors_, scaled);
}

double Spectrum::Sum(double shift, unsigned power) const {
  double sum = 0;
  for (size_t j = 0; j < rhs_.rows(); ++j) {
    double square = 0;
    for (size_t c = 0; c < rhs_.cols(); ++c) square += rhs_(j, c) * rhs_(j, c);
    sum += square * real::Power(Inverse(j, shift), power);
  }
  return sum;
}

}  // namespace gopnet

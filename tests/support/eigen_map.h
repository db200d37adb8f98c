// Converts matrices of doubles to Eigen and back.
#pragma once

#include <Eigen/Dense>

#include "base/mat.h"

namespace gopnet {

using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

using RowStride = Eigen::OuterStride<>;

inline Eigen::Map<const EigenMatrix, Eigen::Unaligned, RowStride> AsEigen(const DenseMatrix& m) {
  return {m.data(), static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.cols()),
          RowStride(static_cast<Eigen::Index>(m.stride()))};
}

template <class Derived>
DenseMatrix FromEigen(const Eigen::MatrixBase<Derived>& m) {
  DenseMatrix out(static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()));
  Eigen::Map<EigenMatrix, Eigen::Unaligned, RowStride>(
      out.data(), m.rows(), m.cols(), RowStride(static_cast<Eigen::Index>(out.stride()))) = m;
  return out;
}

}  // namespace gopnet

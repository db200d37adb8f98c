// DenseMatrix as Eigen sees it, and back.
#pragma once

#include <Eigen/Dense>

#include "linalg/dense.h"

namespace gopnet {

using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Map<const EigenMatrix> AsEigen(const DenseMatrix& m) {
  return {m.data.data(), static_cast<Eigen::Index>(m.rows), static_cast<Eigen::Index>(m.cols)};
}

template <class Derived>
DenseMatrix FromEigen(const Eigen::MatrixBase<Derived>& m) {
  DenseMatrix out(static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()));
  Eigen::Map<EigenMatrix>(out.data.data(), m.rows(), m.cols()) = m;
  return out;
}

}  // namespace gopnet

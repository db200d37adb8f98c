// Random columns, and least squares by orthogonal decompositions of whole matrices: the reference
// for the solvers of linalg/, which see only products.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/mat.h"
#include "linalg/gram.h"
#include "support/eigen_map.h"

namespace gopnet::testing {

// Multiples of 2^-12 in [low, 1]: sums of a few are exact, so columns can be exactly dependent.
inline Mat UniformMat(size_t rows, size_t cols, unsigned seed, float low = -1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(low, 1);
  Mat m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = std::round(uniform(random) * 4096) / 4096;
  }
  return m;
}

inline ConstView Slice(const Mat& m, size_t begin, size_t count) {
  return {m.data() + begin, m.rows(), count, m.stride()};
}

inline Eigen::MatrixXd ToEigen(const DenseMatrix& m) { return AsEigen(m); }

// The columns as a dense matrix.
inline Eigen::MatrixXd ToEigen(const Columns& a) {
  Eigen::MatrixXd out(a.x.rows, a.x.cols);
  for (size_t n = 0; n < a.x.rows; ++n) {
    const double root = a.weights ? std::sqrt(static_cast<double>(a.weights[n])) : 1.0;
    for (size_t j = 0; j < a.x.cols; ++j) {
      const double centred = static_cast<double>(a.x.Row(n)[j]) - (a.mean ? a.mean[j] : 0.0);
      out(n, j) = root * centred / (a.scale ? a.scale[j] : 1.0);
    }
  }
  return out;
}

// argmin ||A W - T||^2 + lambda ||W||^2 by a complete orthogonal decomposition of
// [A; sqrt(lambda) I]; of minimum norm if lambda = 0.
inline Eigen::MatrixXd RidgeByRows(const Eigen::MatrixXd& a, const Eigen::MatrixXd& t,
                                   double lambda) {
  Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(a.rows() + a.cols(), a.cols());
  Eigen::MatrixXd target = Eigen::MatrixXd::Zero(a.rows() + a.cols(), t.cols());
  tall.topRows(a.rows()) = a;
  target.topRows(a.rows()) = t;
  tall.bottomRows(a.cols()).diagonal().setConstant(std::sqrt(lambda));
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  return decomposition.compute(tall).solve(target);
}

// max |a - b| / max |b|
inline double Difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(b.cwiseAbs().maxCoeff(), 1e-300);
}

}  // namespace gopnet::testing

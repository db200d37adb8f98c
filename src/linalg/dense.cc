#include "linalg/dense.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "linalg/gemm.h"

namespace gopnet {
namespace {

using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

Eigen::Map<const EigenMatrix> AsEigen(const DenseMatrix& m) {
  return {m.data.data(), static_cast<Index>(m.rows), static_cast<Index>(m.cols)};
}

template <class Derived>
DenseMatrix FromEigen(const Eigen::MatrixBase<Derived>& m) {
  DenseMatrix out(static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()));
  Eigen::Map<EigenMatrix>(out.data.data(), m.rows(), m.cols()) = m;
  return out;
}

// Rows [begin, begin + count) standardised and weighted by sqrt(w), in double, padded to 8 columns.
void FillChunk(ConstView x, const std::vector<double>& mean, const std::vector<double>& scale,
               const float* weights, size_t begin, View<double> chunk) {
  for (size_t n = 0; n < chunk.rows; ++n) {
    const float* row = x.Row(begin + n);
    const double root = weights ? std::sqrt(static_cast<double>(weights[begin + n])) : 1.0;
    for (size_t j = 0; j < x.cols; ++j) {
      chunk.Row(n)[j] = root * (static_cast<double>(row[j]) - mean[j]) / scale[j];
    }
  }
}

void Mirror(DenseMatrix& m) {  // symmetric to the last bit
  for (size_t i = 0; i < m.rows; ++i) {
    for (size_t j = 0; j < i; ++j) m(i, j) = m(j, i);
  }
}

}  // namespace

EigenPairs SymmetricEigen(const DenseMatrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(AsEigen(symmetric));
  const Index n = static_cast<Index>(symmetric.rows);
  EigenPairs pairs;
  for (Index i = n; i-- > 0;) pairs.values.push_back(std::max(0.0, solver.eigenvalues()(i)));
  pairs.vectors = FromEigen(solver.eigenvectors().rowwise().reverse());
  return pairs;
}

DiscriminantAxes SolveDiscriminant(const DenseMatrix& within, const DenseMatrix& factor,
                                   double ridge) {
  Eigen::MatrixXd regular = AsEigen(within);
  const double tiny = 1e-12 * std::max(regular.trace() / static_cast<double>(within.rows), 1e-30);
  Eigen::LLT<Eigen::MatrixXd> llt;
  double added = std::max(ridge, tiny);
  regular.diagonal().array() += added;
  for (int attempt = 0; attempt < 16; ++attempt) {
    llt.compute(regular);
    if (llt.info() == Eigen::Success) break;
    regular.diagonal().array() += 9 * added;
    added *= 10;
  }
  const Eigen::MatrixXd whitened = llt.matrixL().solve(AsEigen(factor));
  // The left singular vectors by the small side: K^T K = V S^2 V^T, U = K V / S.
  const EigenPairs pairs = SymmetricEigen(FromEigen(whitened.transpose() * whitened));
  DiscriminantAxes result;
  for (const double square : pairs.values) {
    const double strength = std::sqrt(square);
    if (strength <= 1e-7 * std::sqrt(pairs.values[0]) || strength <= 0) break;
    result.strength.push_back(strength);
  }
  const auto q = static_cast<Index>(result.strength.size());
  Eigen::MatrixXd left = whitened * AsEigen(pairs.vectors).leftCols(q);
  for (Index j = 0; j < q; ++j) left.col(j) /= result.strength[static_cast<size_t>(j)];
  result.axes = FromEigen(llt.matrixL().transpose().solve(left));
  return result;
}

DenseMatrix ColumnGram(ConstView x, const std::vector<double>& mean,
                       const std::vector<double>& scale, const float* weights) {
  constexpr size_t kChunk = 256;  // fixed, so that the order of summation is
  const size_t stride = (x.cols + 7) / 8 * 8;
  Buffer<double> chunk(kChunk * stride), gram(x.cols * stride);
  for (size_t begin = 0; begin < x.rows; begin += kChunk) {
    const View<double> part{chunk.data(), std::min(kChunk, x.rows - begin), x.cols, stride};
    FillChunk(x, mean, scale, weights, begin, part);
    AddProduct(part, part, {gram.data(), x.cols, x.cols, stride});
  }
  DenseMatrix out(x.cols, x.cols);
  for (size_t i = 0; i < x.cols; ++i) std::copy_n(gram.data() + i * stride, x.cols, &out(i, 0));
  Mirror(out);
  return out;
}

DenseMatrix RowGram(ConstView x, const std::vector<double>& mean, const std::vector<double>& scale,
                    const float* weights) {
  Buffer<double> rows(x.rows * x.cols);
  const View<double> all{rows.data(), x.rows, x.cols, x.cols};
  FillChunk(x, mean, scale, weights, 0, all);
  const Eigen::Map<const EigenMatrix> m(rows.data(), static_cast<Index>(x.rows),
                                        static_cast<Index>(x.cols));
  DenseMatrix out = FromEigen(m * m.transpose());
  Mirror(out);
  return out;
}

DenseMatrix TransposedProduct(ConstView x, const std::vector<double>& mean,
                              const std::vector<double>& scale, const float* weights,
                              const DenseMatrix& vectors) {
  Buffer<double> rows(x.rows * x.cols);
  FillChunk(x, mean, scale, weights, 0, {rows.data(), x.rows, x.cols, x.cols});
  const Eigen::Map<const EigenMatrix> m(rows.data(), static_cast<Index>(x.rows),
                                        static_cast<Index>(x.cols));
  return FromEigen(m.transpose() * AsEigen(vectors));
}

DenseMatrix OuterProduct(const DenseMatrix& factor) {
  return FromEigen(AsEigen(factor) * AsEigen(factor).transpose());
}

}  // namespace gopnet

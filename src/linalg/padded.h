// Doubles as the products of linalg/gemm.h want them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/mat.h"
#include "linalg/dense.h"
#include "linalg/gemm.h"

namespace gopnet {

// Doubles of the widest register: where a part of a row must begin to be aligned.
inline constexpr size_t kDoublePad = kAlign / sizeof(double);

// Owns aligned rows, zero at first, padded to whole registers. Move-only.
class PaddedMatrix {
 public:
  PaddedMatrix() = default;
  PaddedMatrix(size_t rows, size_t cols)
      : rows_(rows), cols_(cols), stride_(Stride(2 * cols) / 2), buffer_(rows * stride_) {}
  explicit PaddedMatrix(const DenseMatrix& m) : PaddedMatrix(m.rows, m.cols) {
    for (size_t i = 0; i < rows_; ++i) std::copy_n(m.data.data() + i * cols_, cols_, Row(i));
  }
  DenseMatrix Dense() const {
    DenseMatrix m(rows_, cols_);
    for (size_t i = 0; i < rows_; ++i) std::copy_n(Row(i), cols_, m.data.data() + i * cols_);
    return m;
  }

  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  double* Row(size_t i) { return buffer_.data() + i * stride_; }
  const double* Row(size_t i) const { return buffer_.data() + i * stride_; }
  View<double> view() { return {buffer_.data(), rows_, cols_, stride_}; }
  View<const double> view() const { return {buffer_.data(), rows_, cols_, stride_}; }

 private:
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t stride_ = 0;
  Buffer<double> buffer_;
};

// The part of m from (row, col) on.
template <class T>
View<T> Part(View<T> m, size_t row, size_t col, size_t rows, size_t cols) {
  return {m.data + row * m.stride + col, rows, cols, m.stride};
}

inline PaddedMatrix Times(const PaddedMatrix& a, const PaddedMatrix& b) {  // a b
  PaddedMatrix c(a.rows(), b.cols());
  AddMatMul(a.view(), b.view(), c.view());
  return c;
}
inline PaddedMatrix TransposedTimes(const PaddedMatrix& a, const PaddedMatrix& b) {  // a^T b
  PaddedMatrix c(a.cols(), b.cols());
  AddProduct(a.view(), b.view(), c.view());
  return c;
}

inline PaddedMatrix Transpose(const PaddedMatrix& m) {
  PaddedMatrix out(m.cols(), m.rows());
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) out.Row(j)[i] = m.Row(i)[j];
  }
  return out;
}

inline double SquaredNorm(const PaddedMatrix& m) {
  double sum = 0;
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) sum += m.Row(i)[j] * m.Row(i)[j];
  }
  return sum;
}

}  // namespace gopnet

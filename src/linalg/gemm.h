// Small matrix products on Highway, with one fixed order of summation per element: the result of a
// row does not depend on the rows beside it, nor on how a batch is cut.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/mat.h"

namespace gopnet {

// c(i, j) = bias[j] + sum_t a(i, t) b(t, j), bias may be null.
void MatMul(ConstView a, ConstView b, const float* bias, MutView c);
// c(i, j) = sum_t a(t, i) b(t, j): weight gradients. a.cols = c.rows.
void TransposedMatMul(ConstView a, ConstView b, MutView c);
// out(j, i) = in(i, j). Padding of out is set to 0.
void Transpose(ConstView in, MutView out);
// gram += x^T y over the rows of x and y, in double; gram is x.cols x y.cols with y.cols padded
// to 8.
void AddProduct(View<const double> x, View<const double> y, View<double> gram);
// The same with a minus, and the product of matrices as they stand: c -= x^T y, c += a b, c -= a b.
void SubtractProduct(View<const double> x, View<const double> y, View<double> c);
void AddMatMul(View<const double> a, View<const double> b, View<double> c);
void SubtractMatMul(View<const double> a, View<const double> b, View<double> c);

// b (y) and c must be aligned and padded to whole registers, as an AlignedMatrix is; a (x) may be
// any view.

inline DenseMatrix Times(const DenseMatrix& a, const DenseMatrix& b) {  // a b
  DenseMatrix c(a.rows(), b.cols());
  AddMatMul(a.view(), b.view(), c.view());
  return c;
}
inline DenseMatrix TransposedTimes(const DenseMatrix& a, const DenseMatrix& b) {  // a^T b
  DenseMatrix c(a.cols(), b.cols());
  AddProduct(a.view(), b.view(), c.view());
  return c;
}
inline DenseMatrix Transpose(const DenseMatrix& m) {
  DenseMatrix out(m.cols(), m.rows());
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) out(j, i) = m(i, j);
  }
  return out;
}
// m m^T, symmetric to the last bit; a few columns at a time, as m may be wide.
inline DenseMatrix OuterProduct(const DenseMatrix& m) {
  constexpr size_t kColumns = 256;
  DenseMatrix product(m.rows(), m.rows());
  for (size_t first = 0; first < m.cols(); first += kColumns) {
    DenseMatrix part(std::min(kColumns, m.cols() - first), m.rows());
    for (size_t i = 0; i < m.rows(); ++i) {
      for (size_t j = 0; j < part.rows(); ++j) part(j, i) = m(i, first + j);
    }
    AddProduct(part.view(), part.view(), product.view());
  }
  return product;
}
inline double SquaredNorm(const DenseMatrix& m) {
  double sum = 0;
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) sum += m(i, j) * m(i, j);
  }
  return sum;
}

}  // namespace gopnet

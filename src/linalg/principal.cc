#include "linalg/principal.h"

#include <algorithm>
#include <cmath>

#include "base/stop_check.h"
#include "linalg/dense.h"
#include "linalg/gemm.h"
#include "linalg/symmetric_eigen.h"

namespace gopnet {
namespace {

// How many of the leading eigenvalues to use: those asked for, without those that are 0 beside the
// sum of all that there were.
HowMany AtMost(size_t wanted, double sum) {
  return [wanted, sum](const std::vector<double>& values) {
    size_t count = 0;
    while (count < std::min(wanted, values.size()) && values[count] > 1e-12 * sum) ++count;
    return count;
  };
}

void NormaliseColumns(DenseMatrix& m) {
  for (size_t j = 0; j < m.cols(); ++j) {
    double square = 0;
    for (size_t i = 0; i < m.rows(); ++i) square += m(i, j) * m(i, j);
    for (size_t i = 0; i < m.rows(); ++i) m(i, j) /= std::sqrt(square);
  }
}

// By the small side: beta^T beta = V S^2 V^T, U = beta V / S.
DenseMatrix LeftSingularVectors(const DenseMatrix& beta, size_t size) {
  const DenseMatrix gram = TransposedTimes(beta, beta);
  const HowMany wanted = AtMost(std::min(size, beta.rows()), Trace(gram));
  DenseMatrix u = Times(beta, LeadingEigen(gram, wanted).vectors);
  NormaliseColumns(u);
  return u;
}

// m (I - u u^T)
void TakeOut(const DenseMatrix& u, DenseMatrix& m) {
  if (u.cols() > 0) SubtractMatMul(Times(m, u).view(), Transpose(u).view(), m.view());
}

// The leading eigenvectors of gram outside u.
DenseMatrix AxesByColumns(DenseMatrix gram, const DenseMatrix& u, const HowMany& wanted) {
  TakeOut(u, gram);
  gram = Transpose(gram);
  TakeOut(u, gram);
  Mirror(gram);
  return LeadingEigen(gram, wanted).vectors;
}

// The same by the smaller side: B = h (I - u u^T), B B^T = W D W^T, V = B^T W / sqrt(D).
DenseMatrix AxesByRows(const Columns& h, const DenseMatrix& u, const HowMany& wanted) {
  DenseMatrix b = Doubles(h);
  TakeOut(u, b);
  return TransposedTimes(b, LeadingEigen(OuterProduct(b), wanted).vectors);
}

}  // namespace

DenseMatrix PrincipalAxes(const DenseMatrix& beta, const Columns& h, const DenseMatrix& gram,
                          size_t size) {
  const size_t rows = gram.rows();
  const DenseMatrix u = beta.cols() > 0 ? LeftSingularVectors(beta, size) : DenseMatrix(rows, 0);
  const HowMany wanted = AtMost(size - u.cols(), Trace(gram));
  DenseMatrix more = h.x.rows < rows ? AxesByRows(h, u, wanted) : AxesByColumns(gram, u, wanted);
  DenseMatrix rest = Transpose(more);
  TakeOut(u, rest);  // what rounding left
  more = Transpose(rest);
  NormaliseColumns(more);
  DenseMatrix axes(rows, u.cols() + more.cols());
  for (size_t i = 0; i < rows; ++i) {
    std::copy_n(u.Row(i), u.cols(), axes.Row(i));
    std::copy_n(more.Row(i), more.cols(), axes.Row(i) + u.cols());
  }
  FixSigns(axes);
  return axes;
}

Mat Product(const Mat& a, const DenseMatrix& b) {
  Mat right(b.rows(), b.cols()), padded(256, b.cols());
  for (size_t i = 0; i < b.rows(); ++i) {
    for (size_t j = 0; j < b.cols(); ++j) right(i, j) = static_cast<float>(b(i, j));
  }
  Mat out(a.rows(), b.cols(), b.cols());
  ForEachChunk(a.rows(), padded.rows(), [&](size_t first, size_t count) {
    const MutView part = padded.view().Rows(0, count);
    MatMul(a.view().Rows(first, count), right.view(), nullptr, part);
    for (size_t n = 0; n < count; ++n) std::copy_n(part.Row(n), b.cols(), out.Row(first + n));
  });
  return out;
}

}  // namespace gopnet

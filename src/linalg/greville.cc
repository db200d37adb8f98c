#include "linalg/greville.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "linalg/gemm.h"
#include "linalg/ridge.h"
#include "linalg/spectrum.h"
#include "linalg/symmetric_eigen.h"

namespace gopnet {
namespace {

constexpr double kZero = 1e-10;  // if ||C|| <= kZero ||Q||, all new columns depend on old ones

// The rows of `top`, then those of `bottom`.
DenseMatrix Stack(const DenseMatrix& top, const DenseMatrix& bottom) {
  DenseMatrix out(top.rows() + bottom.rows(), bottom.cols());
  for (size_t i = 0; i < top.rows(); ++i) std::copy_n(top.Row(i), top.cols(), out.Row(i));
  for (size_t i = 0; i < bottom.rows(); ++i) {
    std::copy_n(bottom.Row(i), bottom.cols(), out.Row(top.rows() + i));
  }
  return out;
}

// [top - d bottom; bottom]
DenseMatrix Grow(DenseMatrix top, const DenseMatrix& d, const DenseMatrix& bottom) {
  SubtractMatMul(d.view(), bottom.view(), top.view());
  return Stack(top, bottom);
}

// (C^T C)^+ in `inverse`, and the projection I - C^+ C onto the columns that depend on others.
struct Split {
  DenseMatrix inverse, dependent;
  bool any_dependent = false;
};

Split SplitColumns(const DenseMatrix& gram) {
  const EigenPairs pairs = SymmetricEigen(gram);
  Split split{DenseMatrix(gram.rows(), gram.rows()), DenseMatrix(gram.rows(), gram.rows())};
  for (size_t t = 0; t < gram.rows(); ++t) {
    const bool zero = !(pairs.values[t] > kSingular * pairs.values[0]);
    split.any_dependent |= zero;
    DenseMatrix& sum = zero ? split.dependent : split.inverse;
    const double factor = zero ? 1.0 : 1 / pairs.values[t];
    for (size_t i = 0; i < gram.rows(); ++i) {
      for (size_t j = 0; j < gram.rows(); ++j) {
        sum(i, j) += factor * pairs.vectors(i, t) * pairs.vectors(j, t);
      }
    }
  }
  return split;
}

}  // namespace

GrevillePseudoInverse::GrevillePseudoInverse(double lambda, const Columns& targets)
    : lambda_(lambda),
      targets_(Doubles(targets)),
      columns_(0, targets.x.rows),
      inverse_(0, targets.x.rows),
      weights_(0, targets.x.cols) {}

DenseMatrix GrevillePseudoInverse::NewRows(const DenseMatrix& q, const DenseMatrix& d,
                                           DenseMatrix c) const {
  if (SquaredNorm(c) <= kZero * kZero * SquaredNorm(q)) c = DenseMatrix(c.rows(), c.cols());
  const bool zero = SquaredNorm(c) == 0;
  const DenseMatrix ct = Transpose(c);
  const DenseMatrix gram = TransposedTimes(c, c);
  if (lambda_ > 0 && !zero) return SolveRidge(gram, ct, lambda_);
  const Split split = SplitColumns(gram);
  DenseMatrix rows = Times(split.inverse, ct);  // C^+, 0 if C is
  if (!split.any_dependent) return rows;
  // J = P K D^T A^+ (I - Q C^+), P = I - C^+ C, K = (I + P D^T D P)^-1; P K = K P
  DenseMatrix z = TransposedTimes(d, inverse_);
  SubtractMatMul(Times(z, q).view(), rows.view(), z.view());
  const DenseMatrix dp = Times(d, split.dependent);
  const DenseMatrix pk = SolveRidge(TransposedTimes(dp, dp), split.dependent, 1);
  AddMatMul(pk.view(), z.view(), rows.view());
  return rows;
}

void GrevillePseudoInverse::Add(const Columns& columns) {
  assert(columns.x.rows == targets_.rows());
  const DenseMatrix q = Doubles(columns);
  const DenseMatrix d = Times(inverse_, q);
  DenseMatrix c = q;
  SubtractProduct(columns_.view(), d.view(), c.view());
  const DenseMatrix rows = NewRows(q, d, std::move(c));
  weights_ = Grow(std::move(weights_), d, Times(rows, targets_));
  inverse_ = Grow(std::move(inverse_), d, rows);
  columns_ = Stack(columns_, Transpose(q));
}

}  // namespace gopnet

#include "linalg/greville.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "linalg/ridge.h"
#include "linalg/spectrum.h"

namespace gopnet {
namespace {

constexpr double kZero = 1e-10;  // ||C|| of ||Q||: all new columns depend on the old ones

PaddedMatrix Doubles(const Columns& a) {
  PaddedMatrix out(a.x.rows, a.x.cols);
  FillRows(a, 0, 0, out.view());
  return out;
}

// The rows of `top`, then those of `bottom`.
PaddedMatrix Stack(const PaddedMatrix& top, const PaddedMatrix& bottom) {
  PaddedMatrix out(top.rows() + bottom.rows(), bottom.cols());
  for (size_t i = 0; i < top.rows(); ++i) std::copy_n(top.Row(i), top.cols(), out.Row(i));
  for (size_t i = 0; i < bottom.rows(); ++i) {
    std::copy_n(bottom.Row(i), bottom.cols(), out.Row(top.rows() + i));
  }
  return out;
}

// [top - d bottom; bottom]
PaddedMatrix Grow(PaddedMatrix top, const PaddedMatrix& d, const PaddedMatrix& bottom) {
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
  Split split{DenseMatrix(gram.rows, gram.rows), DenseMatrix(gram.rows, gram.rows)};
  for (size_t t = 0; t < gram.rows; ++t) {
    const bool zero = !(pairs.values[t] > kSingular * pairs.values[0]);
    split.any_dependent |= zero;
    DenseMatrix& sum = zero ? split.dependent : split.inverse;
    const double factor = zero ? 1.0 : 1 / pairs.values[t];
    for (size_t i = 0; i < gram.rows; ++i) {
      for (size_t j = 0; j < gram.rows; ++j) {
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

PaddedMatrix GrevillePseudoInverse::NewRows(const PaddedMatrix& q, const PaddedMatrix& d,
                                            PaddedMatrix c) const {
  if (SquaredNorm(c) <= kZero * kZero * SquaredNorm(q)) c = PaddedMatrix(c.rows(), c.cols());
  const bool zero = SquaredNorm(c) == 0;
  const PaddedMatrix ct = Transpose(c);
  const DenseMatrix gram = TransposedTimes(c, c).Dense();
  if (lambda_ > 0 && !zero) return PaddedMatrix(RidgePath(gram, ct.Dense()).Solve(lambda_));
  const Split split = SplitColumns(gram);
  PaddedMatrix rows = Times(PaddedMatrix(split.inverse), ct);  // C^+, 0 if C is
  if (!split.any_dependent) return rows;
  // J = P K D^T A^+ (I - Q C^+), P = I - C^+ C, K = (I + P D^T D P)^-1; P K = K P
  PaddedMatrix z = TransposedTimes(d, inverse_);
  SubtractMatMul(Times(z, q).view(), rows.view(), z.view());
  const PaddedMatrix p(split.dependent), dp = Times(d, p);
  const PaddedMatrix pk(RidgePath(TransposedTimes(dp, dp).Dense(), split.dependent).Solve(1));
  AddMatMul(pk.view(), z.view(), rows.view());
  return rows;
}

void GrevillePseudoInverse::Add(const Columns& columns) {
  assert(columns.x.rows == targets_.rows());
  const PaddedMatrix q = Doubles(columns);
  const PaddedMatrix d = Times(inverse_, q);
  PaddedMatrix c = Doubles(columns);
  SubtractProduct(columns_.view(), d.view(), c.view());
  const PaddedMatrix rows = NewRows(q, d, std::move(c));
  weights_ = Grow(std::move(weights_), d, Times(rows, targets_));
  inverse_ = Grow(std::move(inverse_), d, rows);
  columns_ = Stack(columns_, Transpose(q));
}

}  // namespace gopnet

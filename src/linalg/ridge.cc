#include "linalg/ridge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "linalg/gemm.h"
#include "linalg/spectrum.h"
#include "linalg/triangular.h"

namespace gopnet {
namespace {

constexpr double kDependent = 1e-10;  // pivots up to this part of the largest diagonal entry of K

// Rows `order` of m.
DenseMatrix Gather(const DenseMatrix& m, const std::vector<size_t>& order) {
  DenseMatrix out(order.size(), m.cols());
  for (size_t i = 0; i < order.size(); ++i) std::copy_n(m.Row(order[i]), m.cols(), out.Row(i));
  return out;
}

// Columns `order` of m.
DenseMatrix GatherColumns(const DenseMatrix& m, const std::vector<size_t>& order) {
  DenseMatrix out(m.rows(), order.size());
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < order.size(); ++j) out(i, j) = m(i, order[j]);
  }
  return out;
}

// Pivoted Cholesky of s, which is destroyed: the pivots above the tolerance, largest first, in
// `kept`, and R_S in their order. Row i of `rows` is what pivot i leaves of the matrix.
DenseMatrix PivotedCholesky(DenseMatrix s, double tolerance, std::vector<size_t>& kept) {
  const size_t k = s.rows();
  DenseMatrix rows(k, k);
  std::vector<bool> used(k);
  while (kept.size() < k) {
    size_t pivot = k;
    for (size_t j = 0; j < k; ++j) {
      if (!used[j] && (pivot == k || s(j, j) > s(pivot, pivot))) pivot = j;
    }
    if (!(s(pivot, pivot) > tolerance)) break;
    const double root = std::sqrt(s(pivot, pivot));
    double* row = rows.Row(kept.size());
    for (size_t j = 0; j < k; ++j) row[j] = used[j] ? 0.0 : s(pivot, j) / root;
    for (size_t i = 0; i < k; ++i) {
      for (size_t j = 0; j < k; ++j) s(i, j) -= row[i] * row[j];
    }
    used[pivot] = true;
    kept.push_back(pivot);
  }
  return GatherColumns(rows, kept);
}

}  // namespace

DenseMatrix SolveRidge(const DenseMatrix& gram, const DenseMatrix& rhs, double lambda) {
  assert(gram.rows() == gram.cols() && gram.rows() == rhs.rows());
  const auto r = ShiftedCholesky(gram, lambda, kSingular * (LargestDiagonal(gram) + lambda));
  if (!r) return Spectrum(gram, rhs).Solve(lambda);
  DenseMatrix w(rhs);
  SolveFactored(r->view(), w.view());
  return w;
}

GrowingRidge::GrowingRidge(double lambda, size_t outputs)
    : lambda_(lambda), outputs_(outputs), u_(0, outputs) {}

View<const double> GrowingRidge::Factor() const {
  return r_.view().Part(0, 0, kept_.size(), kept_.size());
}

GrowingRidge::Border GrowingRidge::Propose(const DenseMatrix& cross, const DenseMatrix& self,
                                           const DenseMatrix& rhs) const {
  assert(cross.rows() == columns_ && cross.cols() == self.rows() && rhs.rows() == self.rows());
  const size_t k = self.rows();
  DenseMatrix e = Gather(cross, kept_);  // E = R^-T A^T Q
  SolveTransposed(Factor(), e.view());
  DenseMatrix schur(self), right(rhs);  // S = Q^T Q + lambda I - E^T E
  Border border;
  border.columns = k;
  border.largest = largest_;
  for (size_t j = 0; j < k; ++j) {
    schur(j, j) += lambda_;
    border.largest = std::max(border.largest, schur(j, j));
  }
  SubtractProduct(e.view(), e.view(), schur.view());
  SubtractProduct(e.view(), u_.view().Rows(0, kept_.size()), right.view());
  border.corner = PivotedCholesky(std::move(schur), kDependent * border.largest, border.kept);
  border.side = GatherColumns(e, border.kept);
  border.rows = Gather(right, border.kept);  // R_S^-T (Q^T T - E^T U)
  const size_t kept = border.kept.size();
  SolveTransposed(border.corner.view().Part(0, 0, kept, kept), border.rows.view());
  return border;
}

DenseMatrix GrowingRidge::Solve(const Border& border) const {
  const size_t kept = border.kept.size();
  DenseMatrix old(kept_.size(), outputs_), added(kept, outputs_);
  std::copy_n(u_.Row(0), kept_.size() * old.stride(), old.Row(0));
  std::copy_n(border.rows.Row(0), kept * added.stride(), added.Row(0));
  SolveUpper(border.corner.view().Part(0, 0, kept, kept), added.view());
  SubtractMatMul(border.side.view(), added.view(), old.view());
  SolveUpper(Factor(), old.view());
  DenseMatrix w(columns_ + border.columns, outputs_);
  for (size_t i = 0; i < kept_.size(); ++i) std::copy_n(old.Row(i), outputs_, w.Row(kept_[i]));
  for (size_t i = 0; i < kept; ++i) {
    std::copy_n(added.Row(i), outputs_, w.Row(columns_ + border.kept[i]));
  }
  return w;
}

DenseMatrix GrowingRidge::Solve() const {
  Border none;
  none.side = DenseMatrix(kept_.size(), 0);
  none.rows = DenseMatrix(0, outputs_);
  return Solve(none);
}

void GrowingRidge::Reserve(size_t size) {
  if (size <= r_.rows()) return;
  const size_t room = std::max(size, 2 * r_.rows());
  DenseMatrix r(room, room), u(room, outputs_);
  for (size_t i = 0; i < kept_.size(); ++i) {
    std::copy_n(r_.Row(i), kept_.size(), r.Row(i));
    std::copy_n(u_.Row(i), outputs_, u.Row(i));
  }
  r_ = std::move(r);
  u_ = std::move(u);
}

void GrowingRidge::Accept(Border border) {
  assert(border.side.rows() == kept_.size());
  const size_t old = kept_.size(), added = border.kept.size();
  Reserve(old + added);
  for (size_t i = 0; i < old; ++i) std::copy_n(border.side.Row(i), added, r_.Row(i) + old);
  for (size_t i = 0; i < added; ++i) {
    std::copy_n(border.corner.Row(i), added, r_.Row(old + i) + old);
    std::copy_n(border.rows.Row(i), outputs_, u_.Row(old + i));
    kept_.push_back(columns_ + border.kept[i]);
  }
  columns_ += border.columns;
  largest_ = border.largest;
}

}  // namespace gopnet

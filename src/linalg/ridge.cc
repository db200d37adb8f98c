#include "linalg/ridge.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/threads.h"
#include "linalg/spectrum.h"
#include "linalg/triangular.h"

namespace gopnet {
namespace {

// A^T as doubles, columns x rows.
PaddedMatrix Transposed(const Columns& a) {
  PaddedMatrix out(a.x.cols, a.x.rows);
  std::vector<double> row(a.x.cols);
  for (size_t n = 0; n < a.x.rows; ++n) {
    FillRows(a, n, 0, {row.data(), 1, row.size(), row.size()});
    for (size_t j = 0; j < row.size(); ++j) out.Row(j)[n] = row[j];
  }
  return out;
}

// m^T m, a task for each panel of columns of its upper triangle.
DenseMatrix Square(const PaddedMatrix& m, int threads) {
  constexpr size_t kPanel = 96;
  PaddedMatrix out(m.cols(), m.cols());
  std::vector<size_t> panels;
  for (size_t col = 0; col < m.cols(); col += kPanel) panels.insert(panels.begin(), col);
  RunTasks(panels, threads, [&](size_t col, int) {  // the longest first
    const size_t width = std::min(kPanel, m.cols() - col), rows = col + width;
    AddProduct(Part(m.view(), 0, 0, m.rows(), rows), Part(m.view(), 0, col, m.rows(), width),
               Part(out.view(), 0, col, rows, width));
  });
  DenseMatrix square = out.Dense();
  Mirror(square);
  return square;
}

// W = A^T (A A^T + lambda I)^-1 T
DenseMatrix SolveDual(const Columns& a, const Columns& t, double lambda, int threads) {
  const PaddedMatrix at = Transposed(a);
  DenseMatrix targets(t.x.rows, t.x.cols);
  FillRows(t, 0, 0, {targets.data.data(), t.x.rows, t.x.cols, t.x.cols});
  const PaddedMatrix dual(RidgePath(Square(at, threads), std::move(targets)).Solve(lambda));
  return Times(at, dual).Dense();
}

}  // namespace

RidgePath::RidgePath(DenseMatrix gram, DenseMatrix rhs)
    : gram_(std::move(gram)), rhs_(std::move(rhs)) {
  assert(gram_.rows == gram_.cols && gram_.rows == rhs_.rows);
}

DenseMatrix RidgePath::Solve(double lambda) const {
  PaddedMatrix r(gram_), w(rhs_);
  for (size_t i = 0; i < r.rows(); ++i) r.Row(i)[i] += lambda;
  if (!Cholesky(r.view(), kSingular * (LargestDiagonal(gram_) + lambda))) {
    return Spectrum(gram_, rhs_).Solve(lambda);
  }
  SolveTransposed(r.view(), w.view());
  SolveUpper(r.view(), w.view());
  return w.Dense();
}

DenseMatrix SolveRidge(const Columns& a, const Columns& t, double lambda, int threads) {
  if (a.x.rows < a.x.cols) return SolveDual(a, t, lambda, threads);
  return RidgePath(SelfGram(a, threads), CrossGram(a, t, threads)).Solve(lambda);
}

}  // namespace gopnet

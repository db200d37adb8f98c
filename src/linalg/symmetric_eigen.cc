#include "linalg/symmetric_eigen.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/real_math.h"
#include "base/stop_check.h"
#include "linalg/gemm.h"
#include "linalg/tridiagonal.h"

namespace gopnet {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Eigenvalues closer than this part of the largest: their vectors are made orthogonal explicitly.
// Those of others are so to kEpsilon / kClose.
constexpr double kClose = 1e-6;

double Norm(const Tridiagonal& t) {
  double norm = 0;
  for (size_t i = 0; i < t.diagonal.size(); ++i)
    norm = std::max(norm, std::fabs(t.diagonal[i]) + 2 * std::fabs(t.beside[i]));
  return norm;
}

// One step of the implicit QL method with Wilkinson's shift on rows first..last of T.
void StepQl(std::vector<double>& d, std::vector<double>& e, size_t first, size_t last) {
  double g = (d[first + 1] - d[first]) / (2 * e[first]);
  double r = real::Hypot(g, 1.0);
  g = d[last] - d[first] + e[first] / (g + std::copysign(r, g));
  double s = 1, c = 1, p = 0;
  for (size_t i = last; i-- > first;) {
    const double f = s * e[i], b = c * e[i];
    r = real::Hypot(f, g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      e[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
  }
  d[first] -= p;
  e[first] = g;
  e[last] = 0;
}

// Descending.
std::vector<double> Eigenvalues(const Tridiagonal& t) {
  constexpr int kMostSteps = 60;  // for one value; two are usual
  std::vector<double> d = t.diagonal, e = t.beside;
  const double least = 0.1 * kEpsilon * Norm(t);
  for (size_t first = 0; first < d.size(); ++first) {
    for (int step = 0; step < kMostSteps; ++step) {
      size_t last = first;
      while (last + 1 < d.size() &&
             std::fabs(e[last]) >
                 std::max(least, kEpsilon * (std::fabs(d[last]) + std::fabs(d[last + 1]))))
        ++last;
      if (last == first) break;
      StepQl(d, e, first, last);
    }
  }
  for (double& value : d) value = std::isnan(value) ? 0 : value;
  std::sort(d.begin(), d.end(), std::greater<>());
  return d;
}

// T - value I = P L U by elimination with row exchanges; solves for one right side after another.
class ShiftedTridiagonal {
 public:
  ShiftedTridiagonal(const Tridiagonal& t, double value, double tiny) : rows_(t.diagonal.size()) {
    const size_t n = rows_.size();
    Row next{t.diagonal[0] - value, t.beside[0], 0};
    for (size_t i = 0; i < n; ++i) {
      Row& row = rows_[i];
      row = next;
      if (i + 1 == n) break;
      next = {t.beside[i], t.diagonal[i + 1] - value, t.beside[i + 1]};
      const bool exchanged = std::fabs(next.pivot) > std::fabs(row.pivot);
      if (exchanged) std::swap(row, next);
      row.exchanged = exchanged;
      if (std::fabs(row.pivot) < tiny) row.pivot = tiny;
      row.factor = next.pivot / row.pivot;
      next = {next.first - row.factor * row.first, next.second - row.factor * row.second, 0};
    }
    if (std::fabs(rows_[n - 1].pivot) < tiny) rows_[n - 1].pivot = tiny;
  }

  void Solve(double* x) const {
    const size_t n = rows_.size();
    for (size_t i = 0; i + 1 < n; ++i) {
      if (rows_[i].exchanged) std::swap(x[i], x[i + 1]);
      x[i + 1] -= rows_[i].factor * x[i];
    }
    double after = 0, second = 0;
    for (size_t i = n; i-- > 0;) {
      x[i] = (x[i] - rows_[i].first * after - rows_[i].second * second) / rows_[i].pivot;
      second = after;
      after = x[i];
    }
  }

 private:
  struct Row {  // of U: the pivot and the two right of it; and what is done to the next row
    double pivot = 0, first = 0, second = 0, factor = 0;
    bool exchanged = false;
  };
  std::vector<Row> rows_;
};

void Normalise(double* x, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  for (size_t i = 0; i < n && largest > 0; ++i) x[i] /= largest;
  const double norm = std::sqrt(Dot(x, x, n));
  for (size_t i = 0; i < n && norm > 0; ++i) x[i] /= norm;
}

// Row k against rows first to k - 1.
void Orthogonalise(DenseMatrix& rows, size_t first, size_t k) {
  const size_t n = rows.cols();
  for (size_t other = first; other < k; ++other)
    AddMultiple(-Dot(rows.Row(other), rows.Row(k), n), rows.Row(other), n, rows.Row(k));
  Normalise(rows.Row(k), n);
}

// Eigenvectors of T by inverse iteration, one per row.
DenseMatrix Vectors(const Tridiagonal& t, const std::vector<double>& values, size_t count) {
  constexpr int kIterations = 3;  // two are enough where values lie apart
  const size_t n = values.size();
  assert(count <= n);
  const double norm = Norm(t);
  const double tiny = std::max(kEpsilon * norm, std::numeric_limits<double>::min());
  DenseMatrix rows(count, n);
  uint64_t random = 1;
  size_t close = 0;  // the first of the values that are close, each to the next
  double shift = 0;  // equal values apart by rounding, or one vector would be found again and again
  for (size_t k = 0; k < count; ++k) {
    StopCheck::Ask();
    if (k > 0 && values[k - 1] - values[k] > kClose * norm) close = k;
    shift = k == close ? values[k] : std::min(values[k], shift - 10 * tiny);
    double* x = rows.Row(k);
    for (size_t i = 0; i < n; ++i) {  // a start that no vector is orthogonal to
      random = random * 6364136223846793005u + 1442695040888963407u;
      x[i] = static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
    }
    const ShiftedTridiagonal shifted(t, shift, tiny);
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      shifted.Solve(x);
      Normalise(x, n);
      Orthogonalise(rows, close, k);
    }
    // Little may be left of it, and that again not orthogonal, to those further off neither.
    if (close < k) Orthogonalise(rows, 0, k);
  }
  return rows;
}

// Divides by a power of two, whose exponent it returns, so that squares neither overflow nor
// vanish.
int ScaleToOne(DenseMatrix& m) {
  double largest = 0;
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) largest = std::max(largest, std::fabs(m(i, j)));
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (size_t i = 0; i < m.rows(); ++i) {
    for (size_t j = 0; j < m.cols(); ++j) m(i, j) = std::ldexp(m(i, j), -exponent);
  }
  return exponent;
}

}  // namespace

EigenPairs LeadingEigen(const DenseMatrix& symmetric, const HowMany& wanted) {
  if (symmetric.rows() == 0) return {};
  DenseMatrix scaled = symmetric;
  const int exponent = ScaleToOne(scaled);
  Tridiagonal t = Tridiagonalise(std::move(scaled));
  const std::vector<double> values = Eigenvalues(t);
  EigenPairs pairs;
  for (const double value : values)
    pairs.values.push_back(std::ldexp(std::max(0.0, value), exponent));
  DenseMatrix rows = Vectors(t, values, wanted(pairs.values));
  RotateBack(t, rows);
  t.reflectors = {};  // the next matrix of that size needs the room
  pairs.vectors = Transpose(rows);
  return pairs;
}

EigenPairs SymmetricEigen(const DenseMatrix& symmetric) {
  return LeadingEigen(symmetric, [](const std::vector<double>& values) { return values.size(); });
}

}  // namespace gopnet

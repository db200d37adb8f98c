// Memory by linear discriminant analysis: up to C - 1 axes that separate the classes, scaled to
// unit variance within classes (arXiv:1808.06377, section 4.2). In regression the classes are ten
// slices of the target (sliced inverse regression).
#include <algorithm>
#include <cmath>

#include "linalg/gemm.h"
#include "linalg/symmetric_eigen.h"
#include "memory/projection.h"

namespace gopnet {
namespace {

struct Groups {
  std::vector<int32_t> of_row;
  size_t count = 0;
};

// One number a row that orders the targets: the target, or the first principal component of
// several.
std::vector<double> TargetAxis(const Standardized& s) {
  const ConstView y = s.data.targets;
  std::vector<double> mean(y.cols), axis(y.cols, 1.0), value(y.rows);
  for (size_t n = 0; n < y.rows; ++n) {
    const double share = s.Weight(n) / s.total_weight;
    for (size_t j = 0; j < y.cols; ++j) mean[j] += share * static_cast<double>(y.Row(n)[j]);
  }
  if (y.cols > 1) {
    EigenPairs pairs = SymmetricEigen(SelfGram({y, mean.data(), s.data.weights}, 1));
    FixSigns(pairs.vectors);
    for (size_t j = 0; j < y.cols; ++j) axis[j] = pairs.vectors(j, 0);
  }
  for (size_t n = 0; n < y.rows; ++n) {
    for (size_t j = 0; j < y.cols; ++j)
      value[n] += axis[j] * (static_cast<double>(y.Row(n)[j]) - mean[j]);
  }
  return value;
}

Groups QuantileSlices(const Standardized& s) {
  constexpr size_t kSlices = 10;
  const std::vector<double> value = TargetAxis(s);
  std::vector<double> sorted = value;
  std::sort(sorted.begin(), sorted.end());
  Groups groups{std::vector<int32_t>(value.size()), kSlices};
  for (size_t n = 0; n < value.size(); ++n) {  // equal targets fall into the same slice
    const auto below = std::lower_bound(sorted.begin(), sorted.end(), value[n]) - sorted.begin();
    groups.of_row[n] = static_cast<int32_t>(static_cast<size_t>(below) * kSlices / value.size());
  }
  return groups;
}

Groups GroupsOf(const Standardized& s) {
  if (s.data.labels == nullptr) return QuantileSlices(s);
  return {std::vector<int32_t>(s.data.labels, s.data.labels + s.data.x.rows), s.data.classes};
}

// F = [sqrt(n_c / N) m_c] over the classes present, a column each: Sb = F F^T.
DenseMatrix BetweenFactor(const Standardized& s) {
  const ConstView x = s.data.x;
  const Groups groups = GroupsOf(s);
  std::vector<double> weight(groups.count);
  DenseMatrix sums(groups.count, x.cols);
  for (size_t n = 0; n < x.rows; ++n) {
    const auto c = static_cast<size_t>(groups.of_row[n]);
    weight[c] += s.Weight(n);
    for (size_t i = 0; i < x.cols; ++i) {
      sums(c, i) += s.Weight(n) * (static_cast<double>(x.Row(n)[i]) - s.mean[i]) / s.scale[i];
    }
  }
  const auto present = static_cast<size_t>(
      std::count_if(weight.begin(), weight.end(), [](double w) { return w > 0; }));
  DenseMatrix factor(x.cols, present);
  for (size_t c = 0, column = 0; c < groups.count; ++c) {
    if (weight[c] <= 0) continue;
    const double root = std::sqrt(weight[c] / s.total_weight);
    for (size_t i = 0; i < x.cols; ++i) factor(i, column) = root * sums(c, i) / weight[c];
    ++column;
  }
  return factor;
}

// The discriminant axes, from X~^T X~ and F: Sw is the covariance less what the classes explain,
// X~^T X~ / N - F F^T.
DenseMatrix Discriminant(DenseMatrix gram, const DenseMatrix& factor, const Standardized& s,
                         const MemoryConfig& config) {
  const DenseMatrix between = OuterProduct(factor);
  double trace = 0;
  for (size_t i = 0; i < gram.rows(); ++i) {
    for (size_t j = 0; j < gram.rows(); ++j)
      gram(i, j) = gram(i, j) / s.total_weight - between(i, j);
    trace += std::max(0.0, gram(i, i));
  }
  const bool by_trace = config.memory_reg_scale == MemoryRegScale::kTrace;
  const double mean = trace / static_cast<double>(s.data.x.cols);
  return SolveDiscriminant(gram, factor, config.memory_reg * (by_trace ? mean : 1.0),
                           std::min(factor.cols() - 1, gram.rows()));
}

}  // namespace

DenseMatrix FitLda(const Standardized& s, const MemoryConfig& config) {
  const size_t inputs = s.data.x.cols;
  const DenseMatrix factor = BetweenFactor(s);
  if (factor.cols() < 2) return DenseMatrix(inputs, 0);
  if (4 * s.data.x.rows >= inputs) return Discriminant(s.Gram(), factor, s, config);
  // Few rows span few directions, and classes differ in no others: it is enough to look there.
  const auto nonzero = [](const std::vector<double>& values) {
    size_t count = 0;
    while (count < values.size() && values[count] > 1e-12 * values[0]) ++count;
    return count;
  };
  const RowSpan span = SpanOfRows(s, nonzero);
  DenseMatrix gram(span.axes.cols(), span.axes.cols());
  for (size_t j = 0; j < gram.rows(); ++j) gram(j, j) = span.squares[j];
  return Times(span.axes,
               Discriminant(std::move(gram), TransposedTimes(span.axes, factor), s, config));
}

}  // namespace gopnet

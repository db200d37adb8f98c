#include "memory/projection.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "linalg/gemm.h"

namespace gopnet {

#define GOPNET_MEMORY(name, function) \
  DenseMatrix function(const Standardized&, const MemoryOptions&);
#include "memory/memory.def"
#undef GOPNET_MEMORY

namespace {

// Weighted mean and standard deviation of the columns, in double. A constant column gets scale 1.
Standardized Standardize(const MemoryData& data, bool by_deviation) {
  Standardized s{data, std::vector<double>(data.x.cols), std::vector<double>(data.x.cols, 1.0), 0};
  for (size_t n = 0; n < data.x.rows; ++n) {
    s.total_weight += s.Weight(n);
    for (size_t j = 0; j < data.x.cols; ++j)
      s.mean[j] += s.Weight(n) * static_cast<double>(data.x.Row(n)[j]);
  }
  for (double& m : s.mean) m /= s.total_weight;
  if (!by_deviation) return s;
  std::vector<double> squares(data.x.cols);
  for (size_t n = 0; n < data.x.rows; ++n) {
    for (size_t j = 0; j < data.x.cols; ++j) {
      const double d = static_cast<double>(data.x.Row(n)[j]) - s.mean[j];
      squares[j] += s.Weight(n) * d * d;
    }
  }
  for (size_t j = 0; j < data.x.cols; ++j) {
    const double deviation = std::sqrt(squares[j] / s.total_weight);
    s.scale[j] = deviation < 1e-8 ? 1.0 : deviation;
  }
  return s;
}

// Flips each axis so that its entry of largest magnitude is positive: the sign of an eigenvector is
// arbitrary.
void FixSigns(DenseMatrix& axes) {
  for (size_t j = 0; j < axes.cols; ++j) {
    size_t top = 0;
    for (size_t i = 1; i < axes.rows; ++i) {
      if (std::fabs(axes(i, j)) > std::fabs(axes(top, j))) top = i;
    }
    if (axes(top, j) >= 0) continue;
    for (size_t i = 0; i < axes.rows; ++i) axes(i, j) = -axes(i, j);
  }
}

// Weighted mean square of each memory feature over the training rows; its mean is 0, as X~ is
// centred.
std::vector<double> AxisVariances(const Standardized& s, const Projection& g) {
  constexpr size_t kChunk = 256;
  std::vector<double> variance(g.dims());
  Mat centred(kChunk, g.inputs()), out(kChunk, g.dims());
  for (size_t first = 0; first < s.data.x.rows; first += kChunk) {
    const size_t count = std::min(kChunk, s.data.x.rows - first);
    const MutView features = out.view().Rows(0, count);
    Project(g, s.data.x.Rows(first, count), centred.view().Rows(0, count), features);
    for (size_t n = 0; n < count; ++n) {
      for (size_t j = 0; j < g.dims(); ++j) {
        const auto value = static_cast<double>(features.Row(n)[j]);
        variance[j] += s.Weight(first + n) * value * value;
      }
    }
  }
  for (double& v : variance) v /= s.total_weight;
  return variance;
}

// Divides the axes by their deviations ("std"), or by one factor that makes the mean variance 1
// ("global"): memory enters exponentials, and the top PCA scores of D features have deviations up
// to sqrt(D).
void Postscale(const Standardized& s, const std::string& how, Projection& g) {
  if (how == "none" || g.dims() == 0) return;
  std::vector<double> deviation = AxisVariances(s, g);
  double mean = 0;
  for (const double v : deviation) mean += v / static_cast<double>(g.dims());
  for (double& v : deviation) v = std::max(1e-3, std::sqrt(how == "global" ? mean : v));
  for (size_t i = 0; i < g.inputs(); ++i) {
    for (size_t j = 0; j < g.dims(); ++j) {
      g.p.Row(i)[j] = static_cast<float>(static_cast<double>(g.p.Row(i)[j]) / deviation[j]);
    }
  }
}

}  // namespace

DenseMatrix Standardized::Gram(const MemoryOptions& options) const {
  const Columns columns{data.x, mean.data(), data.weights, scale.data()};
  return options.gram ? options.gram(columns) : SelfGram(columns, 1);
}

const std::vector<std::string>& MemoryTypes() {
  static const std::vector<std::string> types = {
#define GOPNET_MEMORY(name, function) #name,
#include "memory/memory.def"
#undef GOPNET_MEMORY
  };
  return types;
}

Projection FitMemory(const std::string& type, const MemoryData& data,
                     const MemoryOptions& options) {
  const Standardized s = Standardize(data, options.standardize);
  DenseMatrix axes;
#define GOPNET_MEMORY(name, function) \
  if (type == #name) axes = function(s, options);
#include "memory/memory.def"
#undef GOPNET_MEMORY
  FixSigns(axes);
  const size_t inputs = data.x.cols;
  Projection g{type, Mat(1, inputs), Mat(1, inputs), Mat(inputs, axes.cols), Mat(1, axes.cols)};
  for (size_t i = 0; i < inputs; ++i) {
    g.mean.Row(0)[i] = static_cast<float>(s.mean[i]);
    g.inverse_scale.Row(0)[i] = static_cast<float>(1.0 / s.scale[i]);
    for (size_t j = 0; j < axes.cols; ++j) g.p.Row(i)[j] = static_cast<float>(axes(i, j));
  }
  Postscale(s, options.postscale, g);
  return g;
}

void Project(const Projection& g, ConstView x, MutView centred, MutView out) {
  const float* mean = g.mean.data();
  const float* inverse = g.inverse_scale.data();
  for (size_t n = 0; n < x.rows; ++n) {
    const float* in = x.Row(n);
    float* to = centred.Row(n);
    for (size_t j = 0; j < x.cols; ++j) to[j] = (in[j] - mean[j]) * inverse[j];
  }
  MatMul(centred, g.p.view(), g.bias.data(), out);
}

}  // namespace gopnet

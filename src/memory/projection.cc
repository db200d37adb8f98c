#include "memory/projection.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/stop_check.h"
#include "linalg/gemm.h"
#include "linalg/moments.h"

namespace gopnet {

#define GOPNET_MEMORY(name, function) \
  DenseMatrix function(const Standardized&, const MemoryConfig&);
#include "memory/memory.def"
#undef GOPNET_MEMORY

namespace {

// A constant column gets scale 1.
Standardized Standardize(const MemoryData& data, bool by_deviation, int threads) {
  Standardized s{data, {}, std::vector<double>(data.x.cols, 1.0), 0, threads};
  for (size_t n = 0; n < data.x.rows; ++n) s.total_weight += s.Weight(n);
  const auto value = [&](size_t n, size_t j) { return static_cast<double>(data.x.Row(n)[j]); };
  Moments moments =
      FitMoments(data.x.rows, data.x.cols, value, [&](size_t n) { return s.Weight(n); });
  s.mean = std::move(moments.mean);
  for (size_t j = 0; by_deviation && j < data.x.cols; ++j)
    if (!(moments.deviation[j] < 1e-8)) s.scale[j] = moments.deviation[j];
  return s;
}

// Weighted mean square of each memory feature over the training rows; its mean is 0, as X~ is
// centred.
std::vector<double> AxisVariances(const Standardized& s, const Projection& g) {
  constexpr size_t kChunk = 256;
  std::vector<double> variance(g.dims());
  Mat centred(kChunk, g.inputs()), out(kChunk, g.dims());
  ForEachChunk(s.data.x.rows, kChunk, [&](size_t first, size_t count) {
    const MutView features = out.view().Rows(0, count);
    Project(g, s.data.x.Rows(first, count), centred.view().Rows(0, count), features);
    for (size_t n = 0; n < count; ++n) {
      for (size_t j = 0; j < g.dims(); ++j) {
        const auto value = static_cast<double>(features.Row(n)[j]);
        variance[j] += s.Weight(first + n) * value * value;
      }
    }
  });
  for (double& v : variance) v /= s.total_weight;
  return variance;
}

// Divides the axes by their deviations, or by one factor that makes the mean variance 1: memory
// enters exponentials, and the top PCA scores of D features have deviations up to sqrt(D).
void Postscale(const Standardized& s, MemoryPostscale how, Projection& g) {
  if (how == MemoryPostscale::kNone || g.dims() == 0) return;
  std::vector<double> deviation = AxisVariances(s, g);
  double mean = 0;
  for (const double v : deviation) mean += v / static_cast<double>(g.dims());
  for (double& v : deviation)
    v = std::max(1e-3, std::sqrt(how == MemoryPostscale::kGlobal ? mean : v));
  for (size_t i = 0; i < g.inputs(); ++i) {
    for (size_t j = 0; j < g.dims(); ++j) {
      g.p.Row(i)[j] = static_cast<float>(static_cast<double>(g.p.Row(i)[j]) / deviation[j]);
    }
  }
}

}  // namespace

void MemoryConfig::Visit(FieldVisitor& v) {
  v(memory,
    {.name = "memory",
     .choices =
         {
#define GOPNET_MEMORY(name, function) #name,
#include "memory/memory.def"
#undef GOPNET_MEMORY
             "none"},
     .doc =
         "Linear memory of a layer's input: principal components (pca), discriminant axes (lda) or "
         "none."});
  v(memory_energy,
    {.name = "memory_energy", .range = {0, 1}, .doc = "Fraction of the variance that PCA keeps."});
  v(memory_reg, {.name = "memory_reg",
                 .range = {0, 1e6},
                 .doc = "Number to add to the diagonal of LDA's within-class covariance."});
  v(memory_reg_scale,
    {.name = "memory_reg_scale",
     .doc = "Whether memory_reg is relative to the mean variance or absolute (paper)."});
  v(memory_prescale,
    {.name = "memory_prescale",
     .doc = "Standardise features before fitting the projection, or only centre them (paper)."});
  v(memory_postscale,
    {.name = "memory_postscale",
     .doc = "Scale memory by one factor (mean variance 1), per axis, or not at all (paper)."});
  v(finetune_memory,
    {.name = "finetune_memory", .doc = "Whether fine-tuning also updates the memory projections."});
}

RowSpan SpanOfRows(const Standardized& s, const HowMany& wanted) {
  const DenseMatrix rows = Doubles(s.columns());
  EigenPairs pairs = LeadingEigen(OuterProduct(rows), wanted);
  for (size_t n = 0; n < pairs.vectors.rows(); ++n) {
    for (size_t j = 0; j < pairs.vectors.cols(); ++j)
      pairs.vectors(n, j) /= std::sqrt(pairs.values[j]);
  }
  return {TransposedTimes(rows, pairs.vectors), std::move(pairs.values)};
}

Projection FitMemory(const MemoryConfig& config, const MemoryData& data, int threads) {
  const Standardized s =
      Standardize(data, config.memory_prescale == MemoryPrescale::kStandardize, threads);
  DenseMatrix axes;
#define GOPNET_MEMORY(name, function) \
  if (config.memory == #name) axes = function(s, config);
#include "memory/memory.def"
#undef GOPNET_MEMORY
  FixSigns(axes);
  const size_t inputs = data.x.cols;
  Projection g{config.memory, Mat(1, inputs), Mat(1, inputs), Mat(inputs, axes.cols()),
               Mat(1, axes.cols())};
  for (size_t i = 0; i < inputs; ++i) {
    g.mean.Row(0)[i] = static_cast<float>(s.mean[i]);
    g.inverse_scale.Row(0)[i] = static_cast<float>(1.0 / s.scale[i]);
    for (size_t j = 0; j < axes.cols(); ++j) g.p.Row(i)[j] = static_cast<float>(axes(i, j));
  }
  Postscale(s, config.memory_postscale, g);
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

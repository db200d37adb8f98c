// Checks PCA and LDA memory against their definitions: energy, axes, signs, and singular cases.
#include "memory/projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gopnet {
namespace {

Mat Normal(size_t rows, size_t cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Mat m(rows, cols, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = normal(random);
  }
  return m;
}

MemoryConfig Plain() {
  MemoryConfig o;
  o.memory_prescale = MemoryPrescale::kCenter;
  o.memory_postscale = MemoryPostscale::kNone;
  return o;
}

Projection Fit(const char* type, const MemoryData& data, MemoryConfig config) {
  config.memory = type;
  return FitMemory(config, data, 1);
}

Mat Apply(const Projection& g, const Mat& x) {
  Mat centred(x.rows(), x.cols()), out(x.rows(), g.dims());
  Project(g, x.view(), centred.view(), out.view());
  return out;
}

double Variance(const Mat& m, size_t j) {
  double mean = 0, variance = 0;
  for (size_t n = 0; n < m.rows(); ++n)
    mean += static_cast<double>(m.Row(n)[j]) / static_cast<double>(m.rows());
  for (size_t n = 0; n < m.rows(); ++n)
    variance +=
        std::pow(static_cast<double>(m.Row(n)[j]) - mean, 2) / static_cast<double>(m.rows());
  return variance;
}

TEST(Pca, KeepsTheFewestAxesThatReachTheEnergy) {
  Mat x = Normal(400, 6, 1);
  for (size_t n = 0; n < 400; ++n) {
    for (size_t j = 0; j < 6; ++j) x.Row(n)[j] *= j < 2 ? 10.0f : 0.3f;
  }
  const Projection g = Fit("pca", {x.view()}, Plain());
  EXPECT_EQ(g.dims(), 2u);
  double total = 0;
  for (size_t j = 0; j < 6; ++j) total += Variance(x, j);
  const Mat out = Apply(g, x);
  EXPECT_GE(Variance(out, 0) + Variance(out, 1), 0.98 * total);
  EXPECT_LT(Variance(out, 0), 0.98 * total);  // one axis fewer is not enough
  EXPECT_GE(Variance(out, 0), Variance(out, 1));
}

TEST(Pca, ThreeEqualEigenvaluesNeedThreeAxes) {
  Mat x(6, 3, 3);  // +-1 along each axis: the covariance is a multiple of the identity
  for (size_t j = 0; j < 3; ++j) {
    x.Row(2 * j)[j] = 1;
    x.Row(2 * j + 1)[j] = -1;
  }
  EXPECT_EQ(Fit("pca", {x.view()}, Plain()).dims(), 3u);
}

TEST(Pca, FewerRowsThanColumnsGiveOrthonormalAxesWithAllTheEnergy) {
  const Mat x = Normal(8, 30, 2);
  MemoryConfig options = Plain();
  options.memory_energy = 1;
  const Projection g = Fit("pca", {x.view()}, options);
  EXPECT_EQ(g.dims(), 7u);  // N - 1
  double total = 0, kept = 0;
  for (size_t j = 0; j < 30; ++j) total += Variance(x, j);
  const Mat out = Apply(g, x);
  for (size_t j = 0; j < 7; ++j) kept += Variance(out, j);
  EXPECT_NEAR(kept, total, 1e-4 * total);
  for (size_t a = 0; a < 7; ++a) {
    for (size_t b = 0; b < 7; ++b) {
      double dot = 0;
      for (size_t i = 0; i < 30; ++i)
        dot += static_cast<double>(g.p.Row(i)[a]) * static_cast<double>(g.p.Row(i)[b]);
      EXPECT_NEAR(dot, a == b, 1e-5);
    }
  }
}

TEST(Pca, ConstantFeaturesGiveNoAxes) {
  Mat x(10, 3, 3);
  for (size_t n = 0; n < 10; ++n) x.Row(n)[1] = 5;
  EXPECT_EQ(Fit("pca", {x.view()}, MemoryConfig{}).dims(), 0u);
}

TEST(Pca, PostscaleSetsTheMeanVarianceOrEveryVarianceToOne) {
  const Mat x = Normal(300, 5, 3);
  MemoryConfig options;
  options.memory_postscale = MemoryPostscale::kGlobal;
  Mat out = Apply(Fit("pca", {x.view()}, options), x);
  double mean = 0;
  for (size_t j = 0; j < out.cols(); ++j)
    mean += Variance(out, j) / static_cast<double>(out.cols());
  EXPECT_NEAR(mean, 1, 1e-4);
  options.memory_postscale = MemoryPostscale::kStd;
  out = Apply(Fit("pca", {x.view()}, options), x);
  for (size_t j = 0; j < out.cols(); ++j) EXPECT_NEAR(Variance(out, j), 1, 1e-4);
}

TEST(Pca, WeightsEqualReplicatedRows) {
  const Mat x = Normal(20, 4, 4);
  std::vector<float> weights(20, 1);
  weights[3] = 3;
  Mat replicated(22, 4, 4);
  for (size_t n = 0; n < 22; ++n) std::copy_n(x.Row(n < 20 ? n : 3), 4, replicated.Row(n));
  MemoryData weighted{x.view()};
  weighted.weights = weights.data();
  const Projection a = Fit("pca", weighted, MemoryConfig{}),
                   b = Fit("pca", {replicated.view()}, MemoryConfig{});
  ASSERT_EQ(a.dims(), b.dims());
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < a.dims(); ++j) EXPECT_NEAR(a.p.Row(i)[j], b.p.Row(i)[j], 1e-4f);
  }
}

struct Labelled {
  Mat x;
  std::vector<int32_t> labels;
  MemoryData Data(size_t classes) const {
    MemoryData d{x.view()};
    d.labels = labels.data();
    d.classes = classes;
    return d;
  }
};

Labelled Blobs(size_t rows, size_t cols, size_t classes) {
  Labelled b{Normal(rows, cols, 5), {}};
  for (size_t n = 0; n < rows; ++n) {
    b.labels.push_back(static_cast<int32_t>(n % classes));
    b.x.Row(n)[(n % classes) % cols] += 6;
  }
  return b;
}

TEST(Lda, HasClassesMinusOneAxesOfUnitVarianceWithinClasses) {
  const Labelled b = Blobs(300, 8, 4);
  MemoryConfig options = Plain();
  options.memory_reg = 0;
  const Projection g = Fit("lda", b.Data(4), options);
  ASSERT_EQ(g.dims(), 3u);
  const Mat out = Apply(g, b.x);
  for (size_t j = 0; j < 3; ++j) {
    double within = 0, means[4] = {};
    for (size_t n = 0; n < 300; ++n) means[n % 4] += static_cast<double>(out.Row(n)[j]) / 75;
    for (size_t n = 0; n < 300; ++n)
      within += std::pow(static_cast<double>(out.Row(n)[j]) - means[n % 4], 2) / 300;
    EXPECT_NEAR(within, 1, 1e-3);
  }
}

TEST(Lda, DoesNotDependOnTheClassNumbers) {
  Labelled b = Blobs(200, 6, 3);
  const Projection first = Fit("lda", b.Data(3), MemoryConfig{});
  for (int32_t& label : b.labels) label = (label + 2) % 3;
  const Projection second = Fit("lda", b.Data(3), MemoryConfig{});
  ASSERT_EQ(first.dims(), second.dims());
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = 0; j < first.dims(); ++j)
      EXPECT_NEAR(first.p.Row(i)[j], second.p.Row(i)[j], 1e-4f);
  }
}

TEST(Lda, HandlesEmptyClassesFewRowsAndMoreClassesThanFeatures) {
  Labelled b = Blobs(40, 5, 3);
  EXPECT_EQ(Fit("lda", b.Data(6), MemoryConfig{}).dims(), 2u);  // three classes are empty
  const Labelled few = Blobs(9, 50, 3);
  const Projection g = Fit("lda", few.Data(3), MemoryConfig{});
  EXPECT_EQ(g.dims(), 2u);
  for (size_t i = 0; i < 50; ++i) EXPECT_TRUE(std::isfinite(g.p.Row(i)[0]));
  EXPECT_EQ(Fit("lda", Blobs(200, 3, 8).Data(8), MemoryConfig{}).dims(), 3u);
  for (int32_t& label : b.labels) label = 1;
  EXPECT_EQ(Fit("lda", b.Data(3), MemoryConfig{}).dims(), 0u);  // one class only
}

// Repeating rows keeps the means and covariances, but there are then too many rows for the shortcut
// through the span of the rows.
TEST(Lda, IsTheSameIfFewRowsAreRepeated) {
  const Labelled few = Blobs(12, 60, 3);
  constexpr size_t kTimes = 10;
  Labelled many{Mat(12 * kTimes, 60), {}};
  for (size_t n = 0; n < many.x.rows(); ++n) {
    std::copy_n(few.x.Row(n % 12), 60, many.x.Row(n));
    many.labels.push_back(few.labels[n % 12]);
  }
  for (const auto scale : {MemoryRegScale::kTrace, MemoryRegScale::kAbsolute}) {
    MemoryConfig options;
    options.memory_reg_scale = scale;
    const Projection a = Fit("lda", few.Data(3), options), b = Fit("lda", many.Data(3), options);
    ASSERT_EQ(a.dims(), 2u);
    ASSERT_EQ(b.dims(), 2u);
    for (size_t i = 0; i < 60; ++i) {
      for (size_t j = 0; j < 2; ++j) EXPECT_NEAR(a.p.Row(i)[j], b.p.Row(i)[j], 1e-5f);
    }
  }
}

TEST(Lda, InRegressionFindsTheDirectionOfTheTarget) {
  const Mat x = Normal(500, 5, 6);
  Mat y(500, 1);
  for (size_t n = 0; n < 500; ++n) y.Row(n)[0] = 2 * x.Row(n)[1] - x.Row(n)[3];
  MemoryData data{x.view()};
  data.targets = y.view();
  const Projection g = Fit("lda", data, Plain());
  ASSERT_GE(g.dims(), 1u);
  const double a = static_cast<double>(g.p.Row(1)[0]), b = static_cast<double>(g.p.Row(3)[0]);
  EXPECT_NEAR(a / b, -2, 0.15);
}

}  // namespace
}  // namespace gopnet

// The elementwise kernels of a training step on every SIMD target. Activations and losses are
// compared with double, gradients with finite differences.
#include "kernels/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/loss.h"
#include "ops/operator_set.h"
#include "support/every_simd.h"
#include "support/reference_gop.h"

HWY_BEFORE_NAMESPACE();  // see support/reference_gop.h
namespace gopnet::testing {
namespace {

Mat Normal(size_t rows, size_t cols, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, static_cast<float>(scale));
  Mat m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = normal(random);
  }
  return m;
}

class Elementwise : public EverySimd {};

TEST_P(Elementwise, ActivationsAndSlopesAgreeWithDouble) {
  const Mat x = Normal(9, 17, 3, 1), b = Normal(1, 17, 1, 2), g = Normal(9, 17, 1, 3);
  for (int f = 0; f < ActivationList::kSize; ++f) {
    Mat a(9, 17), delta(9, 17), db(1, 17);
    Activate(f, x.view(), b.data(), a.view());
    ActivateBackward(f, x.view(), b.data(), a.view(), g.view(), delta.view(), db.data());
    ForOperator<ActivationList>(f, [&](auto op) {
      using F = decltype(op);
      for (size_t j = 0; j < 17; ++j) {
        double sum = 0;
        for (size_t n = 0; n < 9; ++n) {
          const double t = static_cast<double>(x.Row(n)[j]) + static_cast<double>(b.data()[j]);
          EXPECT_NEAR(static_cast<double>(a.Row(n)[j]), F::Value(t), 2e-6 * (1 + std::fabs(t)))
              << F::kName;
          const double slope = F::Grad(t, F::Value(t)) * static_cast<double>(g.Row(n)[j]);
          EXPECT_NEAR(static_cast<double>(delta.Row(n)[j]), slope, 2e-6) << F::kName << " at " << t;
          sum += slope;
        }
        EXPECT_NEAR(static_cast<double>(db.data()[j]), sum, 1e-5);
      }
    });
  }
}

TEST_P(Elementwise, ValuesBeyondTheClipHaveZeroGradient) {
  Mat x(1, 3), b(1, 3), g(1, 3), a(1, 3), delta(1, 3), db(1, 3);
  x.Row(0)[0] = 3e6f, x.Row(0)[1] = 5, x.Row(0)[2] = -3e6f;
  for (size_t j = 0; j < 3; ++j) g.Row(0)[j] = 1;
  const int relu = 2;
  Activate(relu, x.view(), b.data(), a.view());
  ActivateBackward(relu, x.view(), b.data(), a.view(), g.view(), delta.view(), db.data());
  EXPECT_EQ(a.Row(0)[0], 1e6f);
  EXPECT_EQ(delta.Row(0)[0], 0.0f);
  EXPECT_EQ(delta.Row(0)[1], 1.0f);
  EXPECT_EQ(db.Row(0)[0], 1.0f);  // the bias is added after the clip
}

// Batch norm of one column in double.
double BatchNormLoss(const Vector& a, const Vector& g, double gamma, double beta) {
  double mean = 0, variance = 0, loss = 0;
  for (const double v : a) mean += v / static_cast<double>(a.size());
  for (const double v : a) variance += (v - mean) * (v - mean) / static_cast<double>(a.size());
  for (size_t n = 0; n < a.size(); ++n)
    loss += g[n] * (gamma * (a[n] - mean) / std::sqrt(variance + kBatchNormEps) + beta);
  return loss;
}

TEST_P(Elementwise, BatchNormGradientAgreesWithFiniteDifferences) {
  const Mat a = Normal(6, 5, 1, 4), g = Normal(6, 5, 1, 5);
  Mat gamma = Normal(1, 5, 1, 6), beta(1, 5), mean(1, 5), variance(1, 5), da(6, 5), dgamma(1, 5),
      dbeta(1, 5);
  ColumnStatistics(a.view(), mean.data(), variance.data());
  NormalizeSums(a.view(), mean.data(), variance.data(), g.view(), dgamma.data(), dbeta.data());
  NormalizeBackward(a.view(), mean.data(), variance.data(), gamma.data(), dgamma.data(),
                    dbeta.data(), 6, g.view(), da.view());
  for (size_t j = 0; j < 5; ++j) {
    Vector column, gradient;
    for (size_t n = 0; n < 6; ++n) {
      column.push_back(static_cast<double>(a.Row(n)[j]));
      gradient.push_back(static_cast<double>(g.Row(n)[j]));
    }
    const double gj = static_cast<double>(gamma.data()[j]);
    for (size_t n = 0; n < 6; ++n) {
      Vector up = column, down = column;
      up[n] += 1e-5, down[n] -= 1e-5;
      const double slope =
          (BatchNormLoss(up, gradient, gj, 0) - BatchNormLoss(down, gradient, gj, 0)) / 2e-5;
      EXPECT_NEAR(static_cast<double>(da.Row(n)[j]), slope, 2e-5);
    }
    EXPECT_NEAR(static_cast<double>(dgamma.data()[j]), BatchNormLoss(column, gradient, 1, 0), 1e-5);
  }
}

TEST_P(Elementwise, CrossEntropyAndItsGradient) {
  for (const size_t classes : {2, 3, 16, 17, 257}) {
    Mat logits = Normal(4, classes, 5, 8);
    const Mat given = logits;
    const std::vector<int32_t> labels = {0, 1, static_cast<int32_t>(classes) - 1, 0};
    const std::vector<float> weights = {1, 2, 0.5f, 1};
    const double loss = SoftmaxCrossEntropy(logits.view(), labels.data(), weights.data(), 4.5);
    double expected = 0;
    for (size_t n = 0; n < 4; ++n) {
      double total = 0;
      for (size_t j = 0; j < classes; ++j) total += std::exp(static_cast<double>(given.Row(n)[j]));
      const auto label = static_cast<size_t>(labels[n]);
      const double w = static_cast<double>(weights[n]);
      expected += w * (std::log(total) - static_cast<double>(given.Row(n)[label]));
      for (size_t j = 0; j < classes; ++j) {
        const double p = std::exp(static_cast<double>(given.Row(n)[j])) / total;
        EXPECT_NEAR(static_cast<double>(logits.Row(n)[j]), w * (p - (j == label)) / 4.5, 1e-6);
      }
      for (size_t j = classes; j < logits.stride(); ++j) EXPECT_EQ(logits.Row(n)[j], 0.0f);
    }
    EXPECT_NEAR(loss, expected, 1e-5 * expected);
  }
}

TEST_P(Elementwise, DropoutKeepsTheExpectedShareAndDoesNotDependOnTheTarget) {
  Mat mask(100, 37);
  DropoutMask(0x123456789abcdefULL, 0.3, mask.view());
  double kept = 0;
  for (size_t n = 0; n < 100; ++n) {
    for (size_t j = 0; j < 37; ++j) {
      EXPECT_TRUE(mask.Row(n)[j] == 0 || std::fabs(mask.Row(n)[j] - 1 / 0.7f) < 1e-6f);
      kept += mask.Row(n)[j] != 0;
    }
  }
  EXPECT_NEAR(kept / 3700, 0.7, 0.03);
  PinSimd(SupportedSimd().back());
  Mat plain(100, 37);
  DropoutMask(0x123456789abcdefULL, 0.3, plain.view());
  for (size_t n = 0; n < 100; ++n) {
    for (size_t j = 0; j < 37; ++j) EXPECT_EQ(mask.Row(n)[j], plain.Row(n)[j]);
  }
}

TEST_P(Elementwise, MaxNormBoundsEveryColumnAndKeepsZeros) {
  Mat w = Normal(20, 17, 2, 9), scratch(1, 17);
  for (size_t k = 0; k < 20; ++k) w.Row(k)[3] = 0;
  for (size_t k = 0; k < 20; ++k) w.Row(k)[4] = 0.01f;
  MaxNorm(2, w.view(), scratch.data());
  for (size_t j = 0; j < 17; ++j) {
    double squares = 0;
    for (size_t k = 0; k < 20; ++k) squares += std::pow(static_cast<double>(w.Row(k)[j]), 2);
    EXPECT_LE(std::sqrt(squares), 2 + 1e-5);
  }
  EXPECT_EQ(w.Row(5)[3], 0.0f);
  EXPECT_EQ(w.Row(5)[4], 0.01f);
}

TEST_P(Elementwise, AdamTakesTheTextbookStep) {
  Mat p = Normal(1, 9, 1, 10), g = Normal(1, 9, 1, 11), m = Normal(1, 9, 0.1, 12), v(1, 9);
  const Mat before = p, m0 = m;
  for (size_t j = 0; j < 9; ++j) v.data()[j] = 0.3f;
  Adam({0.01f}, g.data(), 9, m.data(), v.data(), p.data());
  for (size_t j = 0; j < 9; ++j) {
    const double gj = static_cast<double>(g.data()[j]);
    const double first = 0.9 * static_cast<double>(m0.data()[j]) + 0.1 * gj;
    const double second = 0.999 * 0.3 + 0.001 * gj * gj;
    const double expected =
        static_cast<double>(before.data()[j]) - 0.01 * first / (std::sqrt(second) + 1e-7);
    EXPECT_NEAR(static_cast<double>(p.data()[j]), expected, 1e-6);
  }
}

TEST_P(Elementwise, MaskOfAShardIsASliceOfTheFullMask) {
  Mat whole(21, 19), part(7, 19);
  DropoutMask(77, 0.4, whole.view());
  DropoutMask(77, 0.4, part.view(), 14);
  for (size_t n = 0; n < 7; ++n) {
    for (size_t j = 0; j < 19; ++j) EXPECT_EQ(part.Row(n)[j], whole.Row(14 + n)[j]);
  }
}

TEST_P(Elementwise, ArgMaxReturnsTheFirstOfEqualMaxima) {
  for (const size_t cols : {1, 3, 16, 17, 50}) {
    Mat a = Normal(9, cols, 1, 12);
    for (size_t j = 0; j < cols; ++j) a.Row(3)[j] = -2;    // all equal
    a.Row(4)[cols - 1] = a.Row(4)[cols / 2] = 7;           // a tie
    for (size_t j = 0; j < cols; ++j) a.Row(5)[j] -= 100;  // below the zeros of the padding
    std::vector<int32_t> found(9);
    ArgMaxRows(a.view(), found.data());
    for (size_t n = 0; n < 9; ++n)
      EXPECT_EQ(found[n], std::max_element(a.Row(n), a.Row(n) + cols) - a.Row(n))
          << n << " " << cols;
  }
}

TEST_P(Elementwise, FiniteExcludesNanAndInfinity) {
  Mat a = Normal(1, 35, 1, 13);
  a.data()[3] = 3e38f, a.data()[4] = 1e-42f;
  EXPECT_TRUE(AllFinite(a.data(), 48));
  for (const float bad : {std::nanf(""), INFINITY, -INFINITY}) {
    a.data()[34] = bad;
    EXPECT_FALSE(AllFinite(a.data(), 48));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Elementwise, ::testing::ValuesIn(SupportedSimd()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gopnet::testing
HWY_AFTER_NAMESPACE();

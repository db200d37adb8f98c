// Compares matrix products on every SIMD target with sums in double, for awkward sizes.
#include "linalg/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/every_simd.h"

namespace gopnet::testing {
namespace {

Mat Random(size_t rows, size_t cols, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Mat m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = uniform(random);
  }
  return m;
}

class Gemm : public EverySimd {};

TEST_P(Gemm, AgreesWithDoubleForAwkwardSizesAndLeavesPaddingZero) {
  for (const size_t rows : {1, 2, 7, 8, 9, 33, 64}) {
    for (const size_t inner : {1, 2, 3, 40, 101}) {
      for (const size_t cols : {1, 5, 8, 9, 14, 16, 17, 24, 40, 41, 57, 70}) {
        const Mat a = Random(rows, inner, 1), at = Random(inner, rows, 2),
                  b = Random(inner, cols, 3);
        const Mat bias = Random(1, cols, 4);
        Mat c(rows, cols), d(rows, cols);
        MatMul(a.view(), b.view(), bias.data(), c.view());
        TransposedMatMul(at.view(), b.view(), d.view());
        for (size_t i = 0; i < rows; ++i) {
          for (size_t j = 0; j < cols; ++j) {
            double sum = static_cast<double>(bias.data()[j]), transposed = 0;
            for (size_t t = 0; t < inner; ++t) {
              const auto right = static_cast<double>(b.Row(t)[j]);
              sum += static_cast<double>(a.Row(i)[t]) * right;
              transposed += static_cast<double>(at.Row(t)[i]) * right;
            }
            const double limit = 1e-6 * std::sqrt(static_cast<double>(inner) + 1);
            ASSERT_NEAR(static_cast<double>(c.Row(i)[j]), sum, limit)
                << rows << " " << inner << " " << cols << " at " << i << " " << j;
            ASSERT_NEAR(static_cast<double>(d.Row(i)[j]), transposed, limit)
                << rows << " " << inner << " " << cols << " at " << i << " " << j;
          }
          for (size_t j = cols; j < Pad(cols); ++j) {
            ASSERT_EQ(c.Row(i)[j], 0.0f);
            ASSERT_EQ(d.Row(i)[j], 0.0f);
          }
        }
      }
    }
  }
}

TEST_P(Gemm, TransposeSwapsAndPads) {
  const Mat in = Random(5, 7, 5);
  Mat out(7, 5);
  Transpose(in.view(), out.view());
  for (size_t i = 0; i < 7; ++i) {
    for (size_t j = 0; j < 5; ++j) EXPECT_EQ(out.Row(i)[j], in.Row(j)[i]);
    for (size_t j = 5; j < Pad(5); ++j) EXPECT_EQ(out.Row(i)[j], 0.0f);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Gemm, ::testing::ValuesIn(SupportedSimd()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gopnet::testing

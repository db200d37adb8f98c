// Compares every kernel on every SIMD target of this CPU with the double reference, for awkward
// sizes.
#include "kernels/gop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/every_simd.h"
#include "support/kernel_inputs.h"
#include "support/reference_gop.h"

namespace gopnet::testing {
namespace {

// ||a - b|| / ||b||
class Distance {
 public:
  void Add(double value, double reference) {
    difference_ += (value - reference) * (value - reference);
    norm_ += reference * reference;
  }
  double Relative() const {
    return norm_ > 0 ? std::sqrt(difference_ / norm_) : std::sqrt(difference_);
  }

 private:
  double difference_ = 0, norm_ = 0;
};

Vector Column(const Mat& m, size_t j) {
  Vector v;
  for (size_t i = 0; i < m.rows(); ++i) v.push_back(static_cast<double>(m.Row(i)[j]));
  return v;
}
Vector RowOf(const Mat& m, size_t i) { return {m.Row(i), m.Row(i) + m.cols()}; }

struct Errors {
  double pooled, dw, dx;
};

Errors Compare(const OperatorSet& phi, const Mat& x, const Mat& w) {
  const Mat delta = Random(x.rows(), w.cols(), 1, 3);
  Mat pooled(x.rows(), w.cols()), dw(w.rows(), w.cols()), dx(x.rows(), x.cols());
  GopScratch scratch;
  GopForward(phi, x.view(), w.view(), true, scratch, pooled.view());
  GopBackward(phi, x.view(), w.view(), delta.view(), scratch, dw.view(), dx.view());
  Distance forward, by_w, by_x;
  std::vector<Vector> dw_sum(w.cols(), Vector(w.rows())), dx_sum(x.rows(), Vector(x.cols()));
  for (size_t n = 0; n < x.rows(); ++n) {
    for (size_t j = 0; j < w.cols(); ++j) {
      const Neuron neuron = Evaluate(phi, RowOf(x, n), Column(w, j));
      forward.Add(static_cast<double>(pooled.Row(n)[j]), neuron.pooled);
      for (size_t k = 0; k < w.rows(); ++k) {
        dw_sum[j][k] += static_cast<double>(delta.Row(n)[j]) * neuron.dw[k];
        dx_sum[n][k] += static_cast<double>(delta.Row(n)[j]) * neuron.dy[k];
      }
    }
  }
  for (size_t k = 0; k < w.rows(); ++k) {
    for (size_t j = 0; j < w.cols(); ++j) by_w.Add(static_cast<double>(dw.Row(k)[j]), dw_sum[j][k]);
    for (size_t n = 0; n < x.rows(); ++n) by_x.Add(static_cast<double>(dx.Row(n)[k]), dx_sum[n][k]);
  }
  return {forward.Relative(), by_w.Relative(), by_x.Relative()};
}

std::string PairName(const OperatorSet& phi) { return Names(phi)[0] + " " + Names(phi)[1]; }

class GopKernel : public EverySimd {};

TEST_P(GopKernel, AgreesWithTheDoubleReferenceForAwkwardSizes) {
  for (const size_t inputs : {1, 2, 3, 7, 100}) {
    for (const size_t units : {1, 3, 8, 17, 40}) {
      const Mat x = Random(5, inputs, 2, 1), w = Random(inputs, units, 1, 2);
      for (const OperatorSet& phi : Pairs(inputs)) {
        const Errors e = Compare(phi, x, w);
        const std::string what = PairName(phi);
        EXPECT_LT(e.pooled, 1e-6) << what << " " << inputs << " x " << units;
        EXPECT_LT(e.dw, 2e-6) << what << " " << inputs << " x " << units;
        EXPECT_LT(e.dx, 2e-6) << what << " " << inputs << " x " << units;
      }
    }
  }
}

// Arguments of exp and sin reach 8. docs/background/performance.md quotes the limits. The maximum
// of sines is often near a peak, where the slope is a difference of nearly equal numbers, so that
// pair gets a higher limit.
TEST_P(GopKernel, ErrorIsBelowOneMillionthForArgumentsUpToEight) {
  double worst = 0, worst_gradient = 0;
  for (const auto& [y, weight] : {std::pair{1.0, 8.0}, {2.0, 2.0}, {8.0, 0.125}}) {
    const Mat x = Random(40, 60, y, 8), w = Random(60, 40, weight, 9);
    for (const OperatorSet& phi : Pairs()) {
      const Errors e = Compare(phi, x, w);
      const std::string what = PairName(phi);
      const double limit = what == "harmonic maximum" ? 4e-6 : 1e-6;
      EXPECT_LT(e.pooled, 1e-6) << what << " " << y;
      EXPECT_LT(e.dw, limit) << what << " " << y;
      EXPECT_LT(e.dx, limit) << what << " " << y;
      worst = std::max(worst, e.pooled);
      worst_gradient = std::max({worst_gradient, e.dw, e.dx});
    }
  }
  std::printf("largest error: %.2g forward, %.2g gradients\n", worst, worst_gradient);
}

// The full batch has too many factors to keep (over 8 MiB, see kernels/gop_panels-inl.h) and
// recomputes them; batches of two rows keep them.
TEST_P(GopKernel, RecomputedFactorsGiveTheSameGradients) {
  constexpr size_t kRows = 90;
  const Mat x = Random(kRows, 700, 2, 10), w = Random(700, 40, 0.2, 11);
  const Mat delta = Random(kRows, 40, 1, 12);
  for (const OperatorSet& phi : Pairs()) {
    if (IsSeparable(phi.nodal) || PoolTerms(phi.pool) == 0) continue;
    Mat pooled(kRows, 40), dw(700, 40), dx(kRows, 700), part(700, 40), part_dx(kRows, 700);
    std::vector<double> sum(dw.rows() * dw.stride());
    GopScratch scratch;
    for (size_t n = 0; n < kRows; n += 2) {
      const ConstView rows = x.view().Rows(n, 2);
      GopForward(phi, rows, w.view(), true, scratch, pooled.view().Rows(n, 2));
      GopBackward(phi, rows, w.view(), delta.view().Rows(n, 2), scratch, part.view(),
                  part_dx.view().Rows(n, 2));
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(part.data()[i]);
    }
    const Mat before = pooled;
    GopForward(phi, x.view(), w.view(), true, scratch, pooled.view());
    GopBackward(phi, x.view(), w.view(), delta.view(), scratch, dw.view(), dx.view());
    Distance by_w;
    for (size_t i = 0; i < sum.size(); ++i) by_w.Add(static_cast<double>(dw.data()[i]), sum[i]);
    EXPECT_LT(by_w.Relative(), 1e-6) << PairName(phi);
    for (size_t n = 0; n < kRows; ++n) {
      for (size_t j = 0; j < 40; ++j) ASSERT_EQ(pooled.Row(n)[j], before.Row(n)[j]);
      for (size_t k = 0; k < 700; ++k) ASSERT_EQ(dx.Row(n)[k], part_dx.Row(n)[k]);
    }
  }
}

TEST_P(GopKernel, StaysFiniteAndAccurateBeyondTheOverflowGuard) {
  const Mat x = Random(4, 9, 10, 4), w = Random(9, 17, 3, 5);  // |w y| to 30, |w y^2| to 300
  for (const OperatorSet& phi : Pairs()) {
    const Errors e = Compare(phi, x, w);
    const std::string what = PairName(phi);
    EXPECT_LT(e.pooled, 1e-5) << what;
    EXPECT_LT(e.dw, 1e-5) << what;
    EXPECT_LT(e.dx, 1e-5) << what;
  }
}

TEST_P(GopKernel, RowsDoNotDependOnTheirBatch) {
  const Mat x = Random(37, 23, 2, 6), w = Random(23, 40, 1, 7);
  for (const OperatorSet& phi : Pairs()) {
    Mat whole(37, 40), one(1, 40);
    GopScratch scratch;
    GopForward(phi, x.view(), w.view(), false, scratch, whole.view());
    for (size_t n : {0, 7, 36}) {
      GopForward(phi, x.view().Rows(n, 1), w.view(), true, scratch, one.view());
      for (size_t j = 0; j < 40; ++j) EXPECT_EQ(one.Row(0)[j], whole.Row(n)[j]);
    }
  }
}

// A row with huge values and a row without a positive psi take another code path to the maximum
// than their neighbours.
TEST_P(GopKernel, RowsDoNotDependOnExtremeNeighbours) {
  Mat x = Random(9, 12, 2, 13), w = Random(12, 20, 1, 14);
  for (size_t k = 0; k < 12; ++k) {
    x.Row(2)[k] *= 40;
    x.Row(5)[k] = 0;
    w.Row(k)[3] = -std::fabs(w.Row(k)[3]);
    w.Row(k)[4] = 0.25f;  // ties
    x.Row(7)[k] = k % 2 ? 0.5f : 0.5f + 3e-8f * static_cast<float>(k);
  }
  for (const OperatorSet& phi : Pairs()) {
    Mat whole(9, 20), one(1, 20);
    GopScratch scratch;
    GopForward(phi, x.view(), w.view(), false, scratch, whole.view());
    for (size_t n = 0; n < 9; ++n) {
      GopForward(phi, x.view().Rows(n, 1), w.view(), false, scratch, one.view());
      for (size_t j = 0; j < 20; ++j)
        EXPECT_EQ(one.Row(0)[j], whole.Row(n)[j]) << PairName(phi) << " " << n;
    }
  }
}

TEST_P(GopKernel, MaximumOfHugeInputsIsThePositiveValue) {
  Mat x(1, 2), w(2, 1), pooled(1, 1);
  w.Row(0)[0] = -1, w.Row(1)[0] = 1;
  const OperatorSet phi = OperatorSetFromNames({"gaussian", "maximum", "tanh"}, "test");
  for (const float huge : {1e6f, 1e12f, 1e15f, 1e18f}) {
    x.Row(0)[0] = huge, x.Row(0)[1] = 0.5f;
    GopScratch scratch;
    GopForward(phi, x.view(), w.view(), false, scratch, pooled.view());
    EXPECT_NEAR(pooled.Row(0)[0], 0.7788f, 1e-4f) << huge;
  }
}

TEST_P(GopKernel, MaximumGivesTheGradientToTheFirstOfEqualValues) {
  Mat x(1, 4), w(4, 3), delta(1, 3), pooled(1, 3), dw(4, 3), dx(1, 4);  // all z = 0
  for (size_t j = 0; j < 3; ++j) delta.Row(0)[j] = 1;
  for (size_t k = 0; k < 4; ++k) w.Row(k)[0] = w.Row(k)[1] = w.Row(k)[2] = 0.5f;
  const OperatorSet phi = OperatorSetFromNames({"multiplication", "maximum", "tanh"}, "test");
  GopScratch scratch;
  GopForward(phi, x.view(), w.view(), true, scratch, pooled.view());
  GopBackward(phi, x.view(), w.view(), delta.view(), scratch, dw.view(), dx.view());
  EXPECT_EQ(dx.Row(0)[0], 1.5f);
  for (size_t k = 1; k < 4; ++k) EXPECT_EQ(dx.Row(0)[k], 0.0f);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, GopKernel, ::testing::ValuesIn(SupportedSimd()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gopnet::testing

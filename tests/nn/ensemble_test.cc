#include "nn/ensemble.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/toy_problem.h"

namespace gopnet {
namespace {

// A network with one unit and two outputs, with the given weights.
Network Net(float weight) {
  Network net;
  Block block = MakeBlock({0, 0, 1}, 1, 1, Norm::kNone);  // tanh(w x)
  block.w.Row(0)[0] = weight;
  net.layers.push_back({{block}});
  net.output = {Mat(1, 2), Mat(1, 2)};
  net.output.w.Row(0)[0] = 2;
  net.output.w.Row(0)[1] = -1;
  return net;
}

double Softmax0(double z0, double z1) { return 1 / (1 + std::exp(z1 - z0)); }

TEST(Ensemble, OneNetworkPredictsTheSameBits) {
  Mat x(300, 1);
  for (size_t n = 0; n < x.rows(); ++n) x.Row(n)[0] = static_cast<float>(n) / 100;
  const Network net = Net(0.7f);
  EnsembleInference().Run(net, x.view(), [&](size_t first, MutView out) {
    Inference single;
    const MutView same = single.Forward(net, x.view().Rows(first, out.rows));
    for (size_t n = 0; n < out.rows; ++n) EXPECT_EQ(out.Row(n)[0], same.Row(n)[0]);
  });
}

TEST(Ensemble, EachNetworkStaysWithinTheBounds) {
  Mat x(1, 1);
  x.Row(0)[0] = 100;  // tanh is 1, then -1
  Ensemble ensemble;
  ensemble.members = {{Net(0.5f), 0.25}, {Net(-2), 0.75}};
  ensemble.bounds = {{-1, -0.5}, {1.5, 2}};
  const Mat both = Outputs(ensemble, x.view());
  EXPECT_FLOAT_EQ(both.Row(0)[0], 0.25f * 1.5f + 0.75f * -1);
  EXPECT_FLOAT_EQ(both.Row(0)[1], 0.25f * -0.5f + 0.75f * 1);
  ensemble.members.pop_back();
  EXPECT_EQ(Outputs(ensemble, x.view()).Row(0)[0], 1.5f);
}

TEST(Ensemble, AveragesProbabilitiesOrRegressionOutputs) {
  Mat x(3, 1);
  for (size_t n = 0; n < 3; ++n) x.Row(n)[0] = static_cast<float>(n) - 1;
  Ensemble ensemble;
  ensemble.members = {{Net(0.5f), 0.25}, {Net(-2), 0.75}};
  for (const bool logits : {true, false}) {
    ensemble.logits = logits;
    EnsembleInference inference;
    const MutView out = inference.Forward(ensemble, x.view());
    for (size_t n = 0; n < 3; ++n) {
      const double a = std::tanh(0.5 * static_cast<double>(x.Row(n)[0]));
      const double b = std::tanh(-2 * static_cast<double>(x.Row(n)[0]));
      const double p = 0.25 * Softmax0(2 * a, -a) + 0.75 * Softmax0(2 * b, -b);
      EXPECT_NEAR(out.Row(n)[0], logits ? std::log(p) : 0.5 * a + 1.5 * b, 1e-6);
      EXPECT_NEAR(out.Row(n)[1], logits ? std::log(1 - p) : -0.25 * a - 0.75 * b, 1e-6);
    }
  }
}

}  // namespace
}  // namespace gopnet

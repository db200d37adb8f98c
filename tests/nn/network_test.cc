// Compares the gradients through the whole network, including the memory, with central differences
// of the loss.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/elementwise.h"
#include "kernels/loss.h"
#include "support/toy_problem.h"
#include "train/network_pass.h"
#include "train/train_layer.h"

namespace gopnet::testing {
namespace {

void Fill(Mat& m, uint32_t index) {
  InitializeWeights(Rng({9, 0, 0, 0}, Purpose::kWeights, index), m);
}

Projection ToyMemory(size_t inputs, size_t dims, uint32_t index) {
  Projection g{"pca", Mat(1, inputs), Mat(1, inputs), Mat(inputs, dims), Mat(1, dims)};
  for (size_t j = 0; j < inputs; ++j) {
    g.mean.data()[j] = 0.1f * static_cast<float>(j);
    g.inverse_scale.data()[j] = 0.5f + 0.1f * static_cast<float>(j);
  }
  Fill(g.p, index);
  Fill(g.bias, index + 1);
  return g;
}

Network ToyNetwork(size_t inputs, size_t classes) {
  Network net;
  const OperatorSet sets[] = {
      {2, 0, 1}, {1, 1, 0}, {4, 2, 1}};  // harmonic/sum, exponential/corr1, gaussian/corr2
  size_t width = inputs;
  for (uint32_t k = 0; k < 3; ++k) {
    Layer layer{{MakeBlock(sets[k], width, 5)}};
    Fill(layer.blocks[0].w, 10 * k);
    for (size_t j = 0; j < 5; ++j)
      layer.blocks[0].gamma.data()[j] = 1 + 0.1f * static_cast<float>(j);
    if (k != 2) layer.memory = ToyMemory(width, 3, 10 * k + 5);
    width = layer.outputs();
    net.layers.push_back(std::move(layer));
  }
  net.output = {Mat(width, classes), Mat(1, classes)};
  Fill(net.output.w, 99);
  return net;
}

// 12 rows make one shard, 37 make three.
class NetworkGradient : public ::testing::TestWithParam<size_t> {};

TEST_P(NetworkGradient, AgreesWithCentralDifferencesForEveryTensor) {
  const Rows rows = ToyRows(GetParam(), 4, 3, 5);
  const auto total = static_cast<double>(GetParam());
  Network net = ToyNetwork(4, 3);
  Network gradient = net;
  Team team(3);
  NetworkPass pass(team);
  const std::vector<uint64_t> keys = {11, 22, 33};
  const auto loss = [&](const Network& n) {
    NetworkPass fresh(team);
    return SoftmaxCrossEntropy(fresh.Forward(n, rows.x.view(), 0.2, keys), rows.labels.data(),
                               nullptr, total) /
           total;
  };
  const MutView outputs = pass.Forward(net, rows.x.view(), 0.2, keys);
  SoftmaxCrossEntropy(outputs, rows.labels.data(), nullptr, total);
  pass.Backward(net, rows.x.view(), outputs, true, gradient);

  std::vector<Trained> tensors;
  for (size_t k = 0; k < 3; ++k) {
    AppendTensors(net.layers[k].blocks[0], gradient.layers[k].blocks[0], tensors);
    if (!net.layers[k].memory) continue;
    tensors.push_back({net.layers[k].memory->p.view(), gradient.layers[k].memory->p.view(), false});
    tensors.push_back(
        {net.layers[k].memory->bias.view(), gradient.layers[k].memory->bias.view(), false});
  }
  AppendTensors(net.output, gradient.output, tensors);
  ASSERT_EQ(tensors.size(), 3 * 4 + 2 * 2 + 2u);
  for (const Trained& t : tensors) {
    for (size_t i = 0; i < t.value.rows; ++i) {
      for (size_t j = 0; j < t.value.cols; ++j) {
        float& value = t.value.Row(i)[j];
        const float keep = value;
        const auto difference = [&](float step) {
          value = keep + step;
          const double up = loss(net);
          value = keep - step;
          const double down = loss(net);
          value = keep;
          return (up - down) / (2 * static_cast<double>(step));
        };
        // Richardson extrapolation cancels the error of second order in the step
        const double slope = (4 * difference(1e-3f) - difference(2e-3f)) / 3;
        EXPECT_NEAR(static_cast<double>(t.gradient.Row(i)[j]), slope,
                    2e-3 * std::max(1.0, std::fabs(slope)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Batches, NetworkGradient, ::testing::Values(12, 37));

TEST(NetworkPass, SameBitsForAnyNumberOfThreads) {
  const Rows rows = ToyRows(70, 4, 3, 5);
  const Network net = ToyNetwork(4, 3);
  const std::vector<uint64_t> keys = {11, 22, 33};
  std::vector<Network> gradients(3, net);
  for (size_t i = 0; i < 3; ++i) {
    Team team(static_cast<int>(2 * i + 1));
    NetworkPass pass(team);
    for (int again = 0; again < 3; ++again) {
      const MutView outputs = pass.Forward(net, rows.x.view(), 0.2, keys);
      SoftmaxCrossEntropy(outputs, rows.labels.data(), nullptr, 70);
      pass.Backward(net, rows.x.view(), outputs, true, gradients[i]);
    }
  }
  const auto bytes = [](Network& n) {
    std::vector<Trained> tensors;
    for (Layer& layer : n.layers) AppendTensors(layer.blocks[0], layer.blocks[0], tensors);
    AppendTensors(n.output, n.output, tensors);
    std::vector<float> all;
    for (const Trained& t : tensors)
      all.insert(all.end(), t.value.data, t.value.data + t.value.rows * t.value.stride);
    return all;
  };
  EXPECT_EQ(bytes(gradients[0]), bytes(gradients[1]));
  EXPECT_EQ(bytes(gradients[0]), bytes(gradients[2]));
}

TEST(Inference, RowsDoNotDependOnTheirChunk) {
  const Rows rows = ToyRows(600, 4, 3, 6);
  Network net = ToyNetwork(4, 3);
  Mat all(600, 3);
  Inference().Run(net, rows.x.view(), [&](size_t first, MutView out) {
    for (size_t n = 0; n < out.rows; ++n) std::copy_n(out.Row(n), 3, all.Row(first + n));
  });
  for (const size_t n : {0, 255, 256, 599}) {
    Inference().Run(net, rows.x.view().Rows(n, 1), [&](size_t, MutView out) {
      for (size_t j = 0; j < 3; ++j) EXPECT_EQ(out.Row(0)[j], all.Row(n)[j]);
    });
  }
}

}  // namespace
}  // namespace gopnet::testing

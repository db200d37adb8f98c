// Measures single kernels on one thread with a batch of 64 rows, 40 units and 100 (S) or 512 (L)
// inputs. items_per_second of the GOP kernels counts nodal evaluations psi(x, w). Example:
// kernels_bench --benchmark_filter=forward/.*/sum/S
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/gop.h"
#include "kernels/loss.h"
#include "kernels/simd.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

using benchmark::Counter;
using benchmark::State;

constexpr size_t kRows = 64;  // a batch
constexpr size_t kUnits = 40;

std::string Shape(std::initializer_list<size_t> sizes) {
  std::string text;
  for (const size_t n : sizes) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

template <class Run>
void Register(const std::string& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), run);
}

Mat Normal(size_t rows, size_t cols, float deviation = 1) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, deviation);
  Mat m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = normal(random);
  }
  return m;
}

// kWeights adds dw to the forward pass; kInputs adds dw and dx
enum class Pass { kForward, kWeights, kInputs };

void RunGop(State& state, const OperatorSet& phi, size_t inputs, Pass pass) {
  const Mat x = Normal(kRows, inputs), w = Normal(inputs, kUnits, 0.1f);
  const Mat delta = Normal(kRows, kUnits);
  Mat pooled(kRows, kUnits), dw(inputs, kUnits), dx(kRows, inputs);
  GopScratch scratch;
  for (auto _ : state) {
    GopForward(phi, x.view(), w.view(), pass != Pass::kForward, scratch, pooled.view());
    if (pass != Pass::kForward) {
      GopBackward(phi, x.view(), w.view(), delta.view(), scratch, dw.view(),
                  pass == Pass::kInputs ? dx.view() : MutView());
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kRows * inputs * kUnits));
}

void RegisterGop() {
  const std::vector<std::pair<std::string, Pass>> passes = {{"forward", Pass::kForward},
                                                            {"forward+dw", Pass::kWeights},
                                                            {"forward+dw+dx", Pass::kInputs}};
  const std::vector<std::pair<std::string, size_t>> shapes = {{"S", 100}, {"L", 512}};
  for (const auto& [name, pass] : passes) {
    for (const Candidate& set : Library(NodalNames(), PoolNames(), {"tanh"}, 512)) {
      const std::vector<std::string> names = Names(set.phi);
      for (const auto& [shape, inputs] : shapes) {
        Register(name + "/" + names[0] + "/" + names[1] + "/" + shape,
                 [phi = set.phi, k = inputs, p = pass](State& state) { RunGop(state, phi, k, p); });
      }
    }
  }
}

// Measures the matrix product of a layer, rows x inner times inner x cols. `transposed` is the
// gradient of the weights, which takes as many operations.
void RunProduct(State& state, size_t rows, size_t inner, size_t cols, bool transposed) {
  const Mat a = Normal(rows, inner), b = Normal(inner, cols), g = Normal(rows, cols);
  Mat c(rows, cols), db(inner, cols);
  for (auto _ : state) {
    if (transposed) {
      TransposedMatMul(a.view(), g.view(), db.view());
    } else {
      MatMul(a.view(), b.view(), nullptr, c.view());
    }
    benchmark::ClobberMemory();
  }
  const double flop = 2.0 * static_cast<double>(rows * inner * cols);
  state.counters["FLOP"] = Counter(flop, Counter::kIsIterationInvariantRate);  // prints ...G/s
}

void RegisterProducts() {
  for (const bool transposed : {false, true}) {
    for (const auto& [inner, cols] : {std::pair<size_t, size_t>{100, 40}, {512, 40}, {40, 257}}) {
      Register((transposed ? "transposed_matmul/" : "matmul/") + Shape({kRows, inner, cols}),
               [transposed, k = inner, m = cols](State& state) {
                 RunProduct(state, kRows, k, m, transposed);
               });
    }
  }
}

// Calls `run` in every iteration; `values` is the number of its results.
template <class Run>
void Elementwise(State& state, size_t values, Run run) {
  for (auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(values));
}

void RegisterHidden() {
  const std::string shape = "/" + Shape({kRows, kUnits});
  for (size_t f = 0; f < ActivationNames().size(); ++f) {
    Register("activate/" + ActivationNames()[f] + shape, [f](State& state) {
      const Mat pooled = Normal(kRows, kUnits), bias = Normal(1, kUnits);
      Mat a(kRows, kUnits);
      Elementwise(state, kRows * kUnits,
                  [&] { Activate(static_cast<int>(f), pooled.view(), bias.data(), a.view()); });
    });
  }
  Register("column_statistics" + shape, [](State& state) {
    const Mat a = Normal(kRows, kUnits);
    Mat mean(1, kUnits), variance(1, kUnits);
    Elementwise(state, kRows * kUnits,
                [&] { ColumnStatistics(a.view(), mean.data(), variance.data()); });
  });
  Register("normalize" + shape, [](State& state) {
    const Mat a = Normal(kRows, kUnits), gamma = Normal(1, kUnits), beta = Normal(1, kUnits);
    Mat mean(1, kUnits), variance(1, kUnits), out(kRows, kUnits);
    ColumnStatistics(a.view(), mean.data(), variance.data());
    Elementwise(state, kRows * kUnits, [&] {
      Normalize(a.view(), mean.data(), variance.data(), gamma.data(), beta.data(), out.view());
    });
  });
  Register("dropout_mask" + shape, [](State& state) {
    Mat mask(kRows, kUnits);
    uint64_t key = 0;
    Elementwise(state, kRows * kUnits, [&] { DropoutMask(++key, 0.5, mask.view()); });
  });
}

void RegisterLossAndAdam() {
  for (const size_t classes : {14, 257}) {
    Register("softmax_cross_entropy/" + Shape({kRows, classes}), [classes](State& state) {
      Mat logits = Normal(kRows, classes);  // overwritten: the gradients are the next logits
      std::vector<int32_t> labels(kRows);
      for (size_t n = 0; n < kRows; ++n) labels[n] = static_cast<int32_t>(n % classes);
      Elementwise(state, kRows * classes, [&] {
        benchmark::DoNotOptimize(SoftmaxCrossEntropy(logits.view(), labels.data(), nullptr, kRows));
      });
    });
  }
  for (const size_t size : {4000, 20000}) {
    Register("adam/" + Shape({size}), [size](State& state) {
      const Mat gradient = Normal(1, size);
      Mat m(1, size), v(1, size), parameters(1, size);
      Elementwise(state, size, [&] {
        Adam({.rate = 1e-3f}, gradient.data(), size, m.data(), v.data(), parameters.data());
      });
    });
  }
}

}  // namespace
}  // namespace gopnet

int main(int argc, char** argv) {
  gopnet::RegisterGop();
  gopnet::RegisterProducts();
  gopnet::RegisterHidden();
  gopnet::RegisterLossAndAdam();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext("simd", gopnet::CurrentSimd());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

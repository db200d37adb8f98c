// What it costs to add 2,000 columns 40 at a time and solve at every step, beside one solution with
// all of them; and what BLS takes to grow to 2,000 nodes, features and validation included:
// `ridge_growth` prints seconds (best of 3) and ratios for 1 and 2 threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <random>

#include "algorithms/registry.h"
#include "base/mat.h"
#include "linalg/gram.h"
#include "linalg/ridge.h"

namespace gopnet {
namespace {

constexpr size_t kRows = 7291, kColumns = 2000, kStep = 40, kOutputs = 10;
constexpr double kLambda = 0.1;

Mat Uniform(size_t rows, size_t cols, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Mat m(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) m.Row(i)[j] = uniform(random);
  }
  return m;
}

ConstView Slice(const Mat& m, size_t begin, size_t count) {
  return {m.data() + begin, m.rows(), count, m.stride()};
}

double Grow(const Mat& a, const Mat& t, int threads) {
  GrowingRidge ridge(kLambda, kOutputs);
  double sum = 0;
  for (size_t n = 0; n < kColumns; n += kStep) {
    const Columns q{Slice(a, n, kStep)};
    ridge.Accept(ridge.Propose(CrossGram({Slice(a, 0, n)}, q, threads), SelfGram(q, threads),
                               CrossGram(q, {t.view()}, threads)));
    sum += ridge.Solve()(0, 0);
  }
  return sum;
}

// Labels are noise, so that nothing but block_patience could end growth.
Problem RandomClasses() {
  Problem problem;
  problem.outputs = kOutputs;
  problem.metric = "accuracy";
  problem.cross_entropy = false;
  for (Rows* rows : {&problem.train, &problem.val}) {
    const size_t count = rows == &problem.train ? kRows : kRows / 5;
    rows->x = Uniform(count, 256, rows == &problem.train ? 3 : 4);
    rows->targets = Mat(count, kOutputs);
    for (size_t n = 0; n < count; ++n) {
      rows->labels.push_back(static_cast<int32_t>(n % kOutputs));
      rows->targets.Row(n)[n % kOutputs] = 1;
    }
  }
  return problem;
}

void GrowBls(const Problem& problem, int threads) {
  const Algorithm& bls = FindAlgorithm("bls");
  Runtime rt;
  rt.threads = threads;
  bls.train(problem, ResolveValues(bls, {{"block_patience", "50"}}), rt);
}

template <class Run>
double Seconds(const Run& run) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

}  // namespace
}  // namespace gopnet

int main() {
  using namespace gopnet;
  const Mat a = Uniform(kRows, kColumns, 1), t = Uniform(kRows, kOutputs, 2);
  const Problem problem = RandomClasses();
  for (const int threads : {1, 2}) {
    double kept = 0;  // so that nothing is left out
    const double once = Seconds([&] {
      kept += SolveRidge(SelfGram({a.view()}, threads), CrossGram({a.view()}, {t.view()}, threads),
                         kLambda)(0, 0);
    });
    const double grown = Seconds([&] { kept += Grow(a, t, threads); });
    const double bls = Seconds([&] { GrowBls(problem, threads); });
    std::printf(
        "threads %d: once %.3f s; in %zu steps %.3f s, ratio %.2f; all of BLS %.3f s, ratio %.2f "
        "(checksum %.6g)\n",
        threads, once, kColumns / kStep, grown, grown / once, bls, bls / once, kept);
  }
}

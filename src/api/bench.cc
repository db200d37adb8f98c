#include "gopnet/bench.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

#include "base/check.h"
#include "base/names.h"
#include "base/threads.h"
#include "grow/search_operators.h"
#include "kernels/gop.h"
#include "kernels/instruction_count.h"
#include "kernels/peak.h"
#include "model/model_impl.h"

namespace gopnet {
namespace {

constexpr double kRepeat = 1e-3;  // seconds of work in a repeat, at least
constexpr double kKernel = 0.04;  // seconds of repeats, at least
constexpr double kTraining = 0.08;
constexpr double kPrediction = 0.2;
constexpr int kRepeats = 3;  // at least

// Seconds of a call in the fastest repeat. The first call, which grows buffers, does not count.
template <class Call>
double Fastest(double budget, const Call& call) {
  call();
  const Stopwatch total;
  double fastest = std::numeric_limits<double>::infinity();
  for (int repeats = 0, calls = 1; repeats < kRepeats || total.Seconds() < budget;) {
    const Stopwatch watch;
    for (int i = 0; i < calls; ++i) call();
    const double seconds = watch.Seconds();
    if (seconds < kRepeat && repeats == 0) {
      calls *= 2;
    } else {
      fastest = std::min(fastest, seconds / calls);
      ++repeats;
    }
  }
  return fastest;
}

void CheckRange(const char* name, int value, int min, int max) {
  Check(value >= min && value <= max, "bench: ", name, " must be from ", min, " to ", max, "; got ",
        value);
}

// Of the rows, a quarter more of them for validation, and a layer's weights and gradients.
double Bytes(const BenchShape& shape) {
  const double data = 1.25 * shape.rows * (shape.inputs + shape.units);
  return sizeof(float) * (data + 4.0 * shape.inputs * shape.units);
}

double Memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

Mat Normal(Mat m, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (size_t n = 0; n < m.rows(); ++n) {
    for (size_t j = 0; j < m.cols(); ++j) m.Row(n)[j] = normal(random);
  }
  return m;
}

Rows RandomRows(const BenchShape& shape, int rows, unsigned seed) {
  const auto inputs = static_cast<size_t>(shape.inputs);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int32_t> label(0, shape.classes - 1);
  Rows r;
  r.x = Normal(Mat(static_cast<size_t>(rows), inputs, inputs), seed + 1);
  for (int n = 0; n < rows; ++n) r.labels.push_back(label(random));
  return r;
}

Problem RandomProblem(const BenchShape& shape, int val_rows) {
  Problem problem;
  problem.outputs = static_cast<size_t>(shape.classes);
  problem.train = RandomRows(shape, shape.rows, 1);
  problem.val = RandomRows(shape, val_rows, 3);
  return problem;
}

LayerTask FirstLayer(const Problem& problem, const BenchShape& shape, int epochs) {
  TrainingConfig config;
  config.epochs = epochs;
  config.batch_size = shape.batch_size;
  return {.problem = problem,
          .x_train = problem.train.x.view(),
          .x_val = problem.val.x.view(),
          .g_train = {},
          .g_val = {},
          .units = static_cast<size_t>(shape.units),
          .config = config,
          .input_dropout = 0,
          .key = {.seed = 1, .layer = 1}};
}

// Nodal evaluations per second of one batch.
void MeasureKernels(const OperatorSet& phi, const BenchShape& shape, PairSpeed& speed) {
  const auto rows = static_cast<size_t>(std::min(shape.rows, shape.batch_size));
  const auto inputs = static_cast<size_t>(shape.inputs), units = static_cast<size_t>(shape.units);
  const Mat x = Normal(Mat(rows, inputs), 1), delta = Normal(Mat(rows, units), 2);
  Mat w(inputs, units), dw(inputs, units), pooled(rows, units);
  InitializeWeights(Rng({.seed = 1, .layer = 1}, Purpose::kWeights), w);
  GopScratch scratch;
  const auto forward = [&](bool keep) {
    GopForward(phi, x.view(), w.view(), keep, scratch, pooled.view());
  };
  const auto forward_dw = [&] {
    forward(true);
    GopBackward(phi, x.view(), w.view(), delta.view(), scratch, dw.view(), {});
  };
  const auto evaluations = static_cast<double>(rows * inputs * units);
  speed.forward = evaluations / Fastest(kKernel, [&] { forward(false); });
  speed.forward_dw = evaluations / Fastest(kKernel, forward_dw);
}

double EpochSeconds(const OperatorSet& phi, const BenchShape& shape) {
  const Problem problem = RandomProblem(shape, 0);
  const LayerTask task = FirstLayer(problem, shape, TrainingConfig().epochs);
  LayerWorkspace work;
  std::optional<LayerTraining> training;
  return Fastest(kTraining, [&] {
    if (!training || training->diverged()) training.emplace(task, phi, 0);
    training->Advance(training->epochs() + 1, work, [] { return true; });
  });
}

double Bound(const InstructionCount& count, const PeakSpeed& peak) {
  if (peak.fma <= 0 || peak.mixed <= 0) return 0;
  return 1 / std::max(count.fma / peak.fma, (count.fma + count.add) / peak.mixed);
}

// Raw rows as the model's training rows may have been, so that scaling cuts none of them.
Matrix RowsFor(const Scaling& scaling, size_t rows) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Matrix x(rows, scaling.mean.size());
  for (size_t n = 0; n < rows; ++n) {
    for (size_t j = 0; j < x.cols(); ++j)
      x(n, j) = static_cast<float>(scaling.mean[j] + scaling.scale[j] * normal(random));
  }
  return x;
}

double RowSeconds(const Model& model, const Matrix& x) {
  Predictor predictor(model);
  std::vector<float> out(model.outputs());
  size_t n = 0;
  return Fastest(kPrediction, [&] {
    predictor.Predict(x.Row(n), out.data());
    n = n + 1 < x.rows() ? n + 1 : 0;
  });
}

}  // namespace

void BenchShape::Check() const {
  CheckRange("shape: rows", rows, 2, 100'000'000);
  CheckRange("shape: inputs", inputs, 3, 10'000'000);
  CheckRange("shape: units", units, 1, 65536);
  CheckRange("shape: classes", classes, 2, 65536);
  CheckRange("batch_size", batch_size, 2, 1 << 20);
  gopnet::Check(Bytes(*this) < Memory(), "bench: shape: rows ", rows, ", inputs ", inputs,
                " and units ", units, " need more memory than is available");
}

PeakSpeed MeasurePeak() { return {FmaPeak(), MixedPeak()}; }

PairSpeed MeasurePair(const std::string& nodal, const std::string& pool, const BenchShape& shape,
                      const PeakSpeed& peak) {
  shape.Check();
  const OperatorSet phi = OperatorSetFromNames({nodal, pool, "tanh"}, "bench");
  const InstructionCount forward = ForwardInstructions(phi.nodal, phi.pool);
  const InstructionCount forward_dw = ForwardDwInstructions(phi.nodal, phi.pool);
  PairSpeed speed{.nodal = nodal, .pool = pool};
  speed.bound_forward = Bound(forward, peak);
  speed.bound_forward_dw = Bound(forward_dw, peak);
  speed.instructions_forward = forward.fma + forward.add;
  speed.instructions_forward_dw = forward_dw.fma + forward_dw.add;
  MeasureKernels(phi, shape, speed);
  speed.epoch_ms = 1e3 * EpochSeconds(phi, shape);
  return speed;
}

SearchSpeed MeasureSearch(const BenchShape& shape, int epochs, int threads,
                          const std::string& search) {
  shape.Check();
  CheckRange("epochs", epochs, 1, 1'000'000);
  CheckRange("threads", threads, 0, 4096);
  Check(search == "exhaustive" || search == "halving",
        "bench: search must be exhaustive or halving; got '", search, "'",
        DidYouMean(search, {"exhaustive", "halving"}));
  SearchConfig config;
  ParseValue({.name = "search", .doc = ""}, search, config.search);
  const Problem problem = RandomProblem(shape, shape.rows / 4);
  const auto candidates =
      Library(config.nodal, config.pool, config.activation, problem.train.x.cols()).size();
  Runtime rt;
  rt.threads = ThreadCount(threads);
  const Stopwatch watch;
  SearchOperators(rt, FirstLayer(problem, shape, epochs), config);
  return {static_cast<int>(candidates), epochs, rt.threads, watch.Seconds()};
}

PredictSpeed MeasurePrediction(const Model& model, size_t rows) {
  Check(rows >= 1 && rows <= 100'000'000,
        "bench: rows to predict must be from 1 to 100000000; got ", rows);
  const Matrix x = RowsFor(model.impl().data.features, rows);
  const double all = Fastest(kPrediction, [&] { model.Predict(x); });
  return {rows, static_cast<double>(rows) / all, 1e6 * RowSeconds(model, x)};
}

}  // namespace gopnet

// Measures training and prediction on one thread for shape S (600 rows, 100 inputs, 40 units, 14
// classes, batches of 64): an epoch of a layer candidate for one pair of each family of kernels, an
// epoch of fine-tuning, and prediction. items_per_second counts rows.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/simd.h"
#include "support/toy_network.h"
#include "support/toy_problem.h"
#include "train/finetune.h"
#include "train/train_layer.h"

namespace gopnet {
namespace {

using benchmark::State;

constexpr size_t kRows = 600, kInputs = 100, kUnits = 40, kClasses = 14;
constexpr int kForever = 1000000;  // epochs: the benchmark decides when to stop

OperatorSet Set(const std::string& nodal, const std::string& pool) {
  return OperatorSetFromNames({nodal, pool, "tanh"}, "benchmark");
}

void CountRows(State& state, size_t rows) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rows));
}

// One iteration is one epoch with validation on 300 rows.
void RunLayer(State& state, const OperatorSet& phi) {
  const Problem problem = testing::ToyProblem(kRows, kInputs, kClasses);
  TrainingConfig config;
  config.epochs = kForever;
  config.lr = {1e-3};
  const LayerTask task = testing::ToyTask(problem, kUnits, config);
  LayerTraining training(task, phi, 0);
  LayerWorkspace work;
  training.Advance(1, work, [] { return true; });
  for (auto _ : state) training.Advance(training.epochs() + 1, work, [] { return true; });
  if (training.diverged()) state.SkipWithError("diverged");
  CountRows(state, kRows);
}

Network ThreeLayers() {
  return testing::ToyLayers(
      {Set("multiplication", "sum"), Set("harmonic", "correlation1"), Set("exponential", "sum")},
      kInputs, kUnits, kClasses);
}

// Counts every epoch of fine-tuning after the first as one iteration.
class EpochAnIteration : public Observer {
 public:
  explicit EpochAnIteration(State& state) : state_(state) {}
  void OnEpoch(const EpochEvent&) override { go_on_ = state_.KeepRunning(); }
  bool Continue() override { return go_on_; }

 private:
  State& state_;
  bool go_on_ = true;
};

void RunFinetune(State& state) {
  const Problem problem = testing::ToyProblem(kRows, kInputs, kClasses);
  FinetuneTask task{.problem = problem, .training = TrainingConfig(), .finetune = {}, .seed = 1};
  task.finetune.finetune_epochs = kForever;
  task.finetune.finetune_lr = {1e-4};
  EpochAnIteration observer(state);
  Runtime rt;
  rt.observer = &observer;
  try {
    FineTune(task, ThreeLayers(), rt);
    state.SkipWithError("diverged");
  } catch (const Stopped&) {  // enough iterations
  }
  CountRows(state, kRows);
}

void RunPredict(State& state) {
  const Rows rows = testing::ToyRows(1024, kInputs, kClasses, 1);
  const Network net = ThreeLayers();
  Inference inference;
  for (auto _ : state) {
    inference.Run(net, rows.x.view(),
                  [](size_t, MutView outputs) { benchmark::DoNotOptimize(outputs.data); });
  }
  CountRows(state, rows.size());
}

void Register() {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"multiplication", "correlation1"},
      {"exponential", "sum"},
      {"harmonic", "correlation2"},
      {"gaussian", "sum"},
      {"dog", "correlation1"},
      {"quadratic", "maximum"},
      {"exponential", "maximum"},
      {"harmonic", "maximum"},
      {"gaussian", "maximum"}};
  for (const auto& [nodal, pool] : pairs) {
    benchmark::RegisterBenchmark(("layer_epoch/" + nodal + "/" + pool + "/S").c_str(),
                                 [phi = Set(nodal, pool)](State& state) { RunLayer(state, phi); })
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("finetune_epoch/3_layers/S", RunFinetune)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("predict/3_layers/1024_rows", RunPredict)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace gopnet

int main(int argc, char** argv) {
  gopnet::Register();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext("simd", gopnet::CurrentSimd());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

// Runs the work that tools/count_instructions counts: `count_step FAMILY` trains one epoch (or
// predicts once) on a small fixed problem under valgrind's callgrind. The count repeats exactly,
// because there is one thread, AVX2 on any CPU, and fixed seeds.
#include <valgrind/callgrind.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "gopnet/error.h"
#include "kernels/simd.h"
#include "support/toy_network.h"
#include "support/toy_problem.h"
#include "train/finetune.h"
#include "train/train_layer.h"

namespace gopnet {
namespace {

#if defined(__clang__)
constexpr char kCompiler[] = "clang++ " __clang_version__;
#else
constexpr char kCompiler[] = "g++ " __VERSION__;
#endif

constexpr size_t kRows = 128, kInputs = 40, kUnits = 24, kClasses = 7;
constexpr size_t kPredictRows = 256;

void StartCounting() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}
void StopCounting() { CALLGRIND_STOP_INSTRUMENTATION; }

OperatorSet Set(const std::string& nodal, const std::string& pool) {
  return OperatorSetFromNames({nodal, pool, "tanh"}, "count_step");
}

TrainingConfig SmallBatches() {
  TrainingConfig config;
  config.epochs = 2;
  config.lr = {1e-3};
  config.batch_size = 32;
  return config;
}

// Counts the second epoch of a layer candidate, with its validation.
void CountLayer(const OperatorSet& phi) {
  const Problem problem = testing::ToyProblem(kRows, kInputs, kClasses);
  const LayerTask task = testing::ToyTask(problem, kUnits, SmallBatches());
  LayerTraining training(task, phi, 0);
  LayerWorkspace work;
  training.Advance(1, work, [] { return true; });
  StartCounting();
  training.Advance(2, work, [] { return true; });
  StopCounting();
}

Network TwoLayers() {
  return testing::ToyLayers({Set("gaussian", "correlation1"), Set("exponential", "sum")}, kInputs,
                            kUnits, kClasses);
}

class CountSecondEpoch : public Observer {
 public:
  void OnEpoch(const EpochEvent& event) override {
    if (event.epoch == 1) StartCounting();
    if (event.epoch == 2) StopCounting();
  }
};

void CountFinetune() {
  const Problem problem = testing::ToyProblem(kRows, kInputs, kClasses);
  FinetuneTask task{.problem = problem, .training = SmallBatches(), .finetune = {}, .seed = 1};
  task.finetune.finetune_epochs = 2;
  task.finetune.finetune_lr = {1e-3};
  CountSecondEpoch observer;
  Runtime rt;
  rt.observer = &observer;
  FineTune(task, TwoLayers(), rt);
}

void CountPredict() {
  const Rows rows = testing::ToyRows(kPredictRows, kInputs, kClasses, 1);
  const Network net = TwoLayers();
  Inference inference;
  const auto ignore = [](size_t, MutView) {};
  inference.Run(net, rows.x.view(), ignore);
  StartCounting();
  inference.Run(net, rows.x.view(), ignore);
  StopCounting();
}

struct Family {
  std::string name;
  std::function<void()> count;
};

Family Layer(const std::string& name, const std::string& nodal, const std::string& pool) {
  return {name, [=] { CountLayer(Set(nodal, pool)); }};
}

std::vector<Family> Families() {
  return {Layer("product", "multiplication", "correlation1"),
          Layer("exponential", "exponential", "sum"),
          Layer("harmonic", "harmonic", "correlation2"),
          Layer("gaussian", "gaussian", "sum"),
          Layer("dog", "dog", "correlation1"),
          Layer("maximum-product", "quadratic", "maximum"),
          Layer("maximum-exponential", "exponential", "maximum"),
          Layer("maximum-harmonic", "harmonic", "maximum"),
          Layer("maximum-gaussian", "gaussian", "maximum"),
          {"finetune", CountFinetune},
          {"predict", CountPredict}};
}

int Main(const std::string& argument) {
  const std::vector<Family> families = Families();
  if (argument == "--list") {
    for (const Family& family : families) std::cout << family.name << '\n';
    return 0;
  }
  if (argument == "--compiler") {
    std::cout << kCompiler << '\n';
    return 0;
  }
  const auto family = std::find_if(families.begin(), families.end(),
                                   [&](const Family& f) { return f.name == argument; });
  if (family == families.end()) {
    std::cerr << "usage: count_step FAMILY | --list | --compiler\n";
    return 2;
  }
  PinSimd("avx2");
  family->count();
  return 0;
}

}  // namespace
}  // namespace gopnet

int main(int argc, char** argv) {
  try {
    return gopnet::Main(argc == 2 ? argv[1] : "");
  } catch (const gopnet::Error& error) {
    std::cerr << "count_step: " << error.what() << '\n';
    return 1;
  }
}

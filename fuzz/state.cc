// Saved states of a run: the result of a search, a candidate in training, or fine-tuning. The first
// byte chooses one; the rest is the content of a file in state/. Accepted states are used as resume
// uses them.
#include "fuzz/support/target.h"
#include "grow/find_once.h"
#include "run/journal.h"
#include "tests/support/toy_network.h"
#include "tests/support/toy_problem.h"
#include "train/finetune.h"

namespace gopnet::fuzz {
namespace {

constexpr size_t kRows = 12, kInputs = 5, kUnits = 4, kClasses = 3;
constexpr OperatorSet kSet{1, 1, 1};

// Returns the same state for every request and stores what is reported.
class OneState : public RunStore {
 public:
  explicit OneState(std::string_view state) : state_(state) {}
  bool keeps() const override { return true; }
  std::optional<std::string> Load(const std::string&) override { return std::string(state_); }

 private:
  std::string_view state_;
};

struct Toy {
  Problem problem = testing::ToyProblem(kRows, kInputs, kClasses);
  TrainingConfig training;
  LayerTask task;
  Network net = testing::ToyLayers({kSet, kSet}, kInputs, kUnits, kClasses);
  LayerWorkspace work;
  Toy() : training(Small()), task(testing::ToyTask(problem, kUnits, training)) {}
  static TrainingConfig Small() {
    TrainingConfig config;
    config.epochs = 2;
    config.batch_size = 6;
    return config;
  }
};

void Search(Toy& toy, Runtime& rt) {
  const auto nothing = [] { return std::optional<Found<LayerRecord>>(); };
  const auto known = FindOnce<LayerRecord>(rt, toy.task, nothing);
  if (!known) return;
  MetricSums sums(toy.problem, toy.problem.val);
  EvaluateInto(known->proposal.block, known->proposal.output, toy.task.x_val, {}, toy.work, sums);
}

void Candidate(Toy& toy, std::string_view state) {
  LayerTraining training(toy.task, OperatorPair(kSet), 0);
  training.Restore(state, "state");
  training.Advance(toy.training.epochs, toy.work, [] { return true; });
}

void Tune(Toy& toy, Runtime& rt) {
  FinetuneConfig finetune;
  finetune.finetune_epochs = 2;
  FineTune({toy.problem, toy.training, finetune, true, 1}, toy.net, rt);
}

}  // namespace
}  // namespace gopnet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace gopnet;
  static fuzz::Toy toy;
  if (size == 0) return 0;
  const fuzz::Exact exact({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  OpenState(exact.view(), "0123456789abcdef");
  Runtime rt;
  rt.store = std::make_shared<fuzz::OneState>(exact.view());
  fuzz::ErrorsOnly("", [&] {
    if (bytes[0] % 3 == 0) fuzz::Search(toy, rt);
    if (bytes[0] % 3 == 1) fuzz::Candidate(toy, exact.view());
    if (bytes[0] % 3 == 2) fuzz::Tune(toy, rt);
  });
  return 0;
}

// What POP's search of a layer costs beside its candidates: `pop_search` runs the two-pass search
// on one thread, then trains every pair it trained once more alone, and prints both and their
// ratio. Best of 3 each.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "algorithms/registry.h"
#include "support/toy_network.h"
#include "support/toy_problem.h"
#include "train/train_layer.h"

namespace gopnet {
namespace {

constexpr int kEpochs = 20;
constexpr size_t kUnits = 40;

class Pairs : public Observer {
 public:
  void OnCandidate(const CandidateEvent& e) override {
    all.emplace_back(OperatorSetFromNames(e.operator_set, "pop"),
                     OperatorSetFromNames(e.output_set, "pop"));
  }
  std::vector<OperatorPair> all;
};

Problem SquaredErrorProblem() {
  Problem problem = testing::ToyProblem(600, 100, 14);
  problem.cross_entropy = false;
  for (Rows* rows : {&problem.train, &problem.val}) {
    rows->targets = Mat(rows->size(), problem.outputs);
    for (size_t n = 0; n < rows->size(); ++n) rows->targets.Row(n)[rows->labels[n]] = 1;
  }
  return problem;
}

double Search(const Problem& problem, Pairs& pairs) {
  const Algorithm& pop = FindAlgorithm("pop");
  const Values values = ResolveValues(pop, {{"topology", std::to_string(kUnits)},
                                            {"epochs", std::to_string(kEpochs)},
                                            {"search", "exhaustive"},
                                            {"finetune_epochs", "0"}});
  Runtime rt;
  pairs.all.clear();
  rt.observer = &pairs;
  pop.train(problem, values, rt);
  return rt.history.layers[0].seconds;
}

double Alone(const Problem& problem, const std::vector<OperatorPair>& pairs) {
  TrainingConfig config;
  config.epochs = kEpochs;
  const LayerTask task = testing::ToyTask(problem, kUnits, config);
  double sum = 0;
  for (const OperatorPair& pair : pairs) {
    const Stopwatch watch;
    LayerWorkspace work;
    LayerTraining(task, pair, 0).Advance(kEpochs, work, [] { return true; });
    sum += watch.Seconds();
  }
  return sum;
}

}  // namespace
}  // namespace gopnet

int main() {
  using namespace gopnet;
  const Problem problem = SquaredErrorProblem();
  Pairs pairs;
  double search = std::numeric_limits<double>::infinity(), alone = search;
  for (int i = 0; i < 3; ++i) {
    search = std::min(search, Search(problem, pairs));
    alone = std::min(alone, Alone(problem, pairs.all));
  }
  std::printf("%zu pairs, %d epochs each: search %.2f s, candidates alone %.2f s, ratio %.2f\n",
              pairs.all.size(), kEpochs, search, alone, search / alone);
}

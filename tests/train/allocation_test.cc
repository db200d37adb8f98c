// Training steps do not allocate memory: an epoch with ten times the rows makes as many
// allocations.
#include <gtest/gtest.h>

#include "support/count_allocations.h"
#include "support/toy_network.h"
#include "support/toy_problem.h"
#include "train/finetune.h"
#include "train/train_layer.h"

namespace gopnet::testing {
namespace {

// Counts the allocations of the second epoch, and tells if it copied a new best network.
std::pair<long, bool> EpochAllocations(size_t rows, const OperatorSet& phi) {
  const Problem problem = ToyProblem(rows, 12, 3);
  TrainingConfig config;
  config.batch_size = 16;
  const LayerTask task = ToyTask(problem, 10, config);
  LayerTraining training(task, phi, 0);
  LayerWorkspace work;
  const auto go_on = [] { return true; };
  training.Advance(1, work, go_on);
  const int best = training.best().best_epoch;
  const long before = allocations;
  training.Advance(2, work, go_on);
  return {allocations - before, training.best().best_epoch != best};
}

TEST(Allocation, LayerStepsDoNotAllocate) {
  int compared = 0;
  for (int nodal = 0; nodal < static_cast<int>(NodalNames().size()); ++nodal) {
    for (int pool = 0; pool < static_cast<int>(PoolNames().size()); ++pool) {
      const auto few = EpochAllocations(32, {nodal, pool, 1});
      const auto many = EpochAllocations(320, {nodal, pool, 1});
      if (few.second != many.second) continue;
      EXPECT_EQ(few.first, many.first) << nodal << " " << pool;
      ++compared;
    }
  }
  EXPECT_GE(compared, 8);
}

class CountEpochs : public Observer {
 public:
  void OnEpoch(const EpochEvent& event) override {
    if (event.epoch == 1) start = allocations;
    if (event.epoch == 2) spent = allocations - start;
  }
  long start = 0, spent = 0;
};

long FinetuneAllocations(size_t rows) {
  const Problem problem = ToyProblem(rows, 12, 3);
  const Network net = ToyLayers({{1, 0, 1}, {2, 1, 1}}, 12, 10, 3);
  FinetuneTask task{.problem = problem, .training = {}, .finetune = {}};
  task.training.batch_size = 48;  // makes three shards
  task.finetune.finetune_epochs = 2;
  task.finetune.finetune_lr = {0};  // nothing improves, so no new best is copied
  CountEpochs observer;
  Runtime rt;
  rt.threads = 2;
  rt.observer = &observer;
  FineTune(task, net, rt);
  return observer.spent;
}

TEST(Allocation, FineTuningStepsDoNotAllocate) {
  // Evaluation allocates per chunk of 256 rows; both sets have one chunk.
  EXPECT_EQ(FinetuneAllocations(48), FinetuneAllocations(240));
}

}  // namespace
}  // namespace gopnet::testing

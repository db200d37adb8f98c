// POPmem-H: each new layer sees, beside the last layer's output, a linear memory of that layer's
// input. The output layer sees the last layer only. Tran et al., "Progressive Operational
// Perceptron with Memory" (arXiv:1808.06377), Algorithm 3.
#include "algorithms/algorithm.h"
#include "algorithms/pop_config.h"
#include "grow/growing_network.h"
#include "train/finetune.h"

namespace gopnet {
namespace {

Network TrainPopMemH(const Problem& problem, const PopMemConfig& cfg, Runtime& rt) {
  GrowingNetwork net(problem, cfg.growth, cfg.growth.topology.size(), rt);
  for (const int units : cfg.growth.topology) {
    // Find hidden GOPs F_k on X_k = [F_{k-1}, G_{k-1}]
    const LayerTask task = net.Task(units, cfg.training, cfg.common.seed, std::nullopt);
    const auto layer = SearchOperators(rt, task, cfg.search);
    if (!net.Accept(layer, std::nullopt)) break;
    // Find memory path G_k on X_k; it becomes part of the network if layer k + 1 does
    net.Remember(FitMemory(cfg.memory, problem, task.x_train, rt));
  }
  return FineTune(
      {problem, cfg.training, cfg.finetune, cfg.memory.finetune_memory, cfg.common.seed},
      net.best(), rt);
}

MemoryNeed MemoryOfPopMemH(const PopMemConfig& cfg, const MemoryShape& s) {
  return GrownMemory(cfg, s, {.remembers = cfg.memory.memory != "none"});
}

}  // namespace

Algorithm PopMemH() {
  return MakeAlgorithm<PopMemConfig, TrainPopMemH, MemoryOfPopMemH>(
      "popmem-h",
      "POPfast with a linear memory (PCA or LDA) of each layer's input, which the next hidden "
      "layer sees too.",
      "arXiv:1808.06377, Algorithm 3");
}

}  // namespace gopnet

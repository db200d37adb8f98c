// POPmem-O: each new layer sees, and hands on, a linear memory of everything learned before it; the
// output layer sees it too. Tran et al., "Progressive Operational Perceptron with Memory"
// (arXiv:1808.06377), Algorithm 4.
#include "algorithms/algorithm.h"
#include "algorithms/pop_config.h"
#include "grow/growing_network.h"
#include "train/finetune.h"

namespace gopnet {
namespace {

Network TrainPopMemO(const Problem& problem, const PopMemConfig& cfg, Runtime& rt) {
  GrowingNetwork net(problem, cfg.growth, cfg.growth.topology.size(), rt);
  for (const int units : cfg.growth.topology) {
    // Find memory path G_k on X_k = [F_{k-1}, G_{k-1}]
    const auto memory = FitMemory(cfg.memory, problem, net.features(), rt);
    // Find hidden GOPs F_k; the output layer sees [F_k, G_k]
    const LayerTask task = net.Task(units, cfg.training, cfg.common.seed, memory);
    const auto layer = SearchOperators(rt, task, cfg.search);
    if (!net.Accept(layer, memory)) break;
  }
  return FineTune(
      {problem, cfg.training, cfg.finetune, cfg.memory.finetune_memory, cfg.common.seed},
      net.best(), rt);
}

MemoryNeed MemoryOfPopMemO(const PopMemConfig& cfg, const MemoryShape& s) {
  return GrownMemory(cfg, s, {.remembers = cfg.memory.memory != "none"});
}

}  // namespace

Algorithm PopMemO() {
  return MakeAlgorithm<PopMemConfig, TrainPopMemO, MemoryOfPopMemO>(
      "popmem-o",
      "POPfast with a linear memory (PCA or LDA) of each layer's input, which the next hidden "
      "layer and the output layer see too.",
      "arXiv:1808.06377, Algorithm 4");
}

}  // namespace gopnet

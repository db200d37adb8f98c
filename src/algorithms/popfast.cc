// POPfast: a network grows by one layer of generalized operational perceptrons at a time; each
// layer's operator set is the best of the library under a linear output layer. Tran et al.,
// "Progressive Operational Perceptron with Memory" (arXiv:1808.06377), Algorithm 2.
#include "algorithms/algorithm.h"
#include "algorithms/pop_config.h"
#include "grow/growing_network.h"
#include "train/finetune.h"

namespace gopnet {
namespace {

Network Train(const Problem& problem, const PopConfig& cfg, Runtime& rt) {
  GrowingNetwork net(problem, cfg.growth, cfg.growth.topology.size(), rt);
  for (const int units : cfg.growth.topology) {
    // Find hidden GOPs F_k: train the single-hidden-layer network for every phi in the library
    const LayerTask task = net.Task(units, cfg.training, cfg.common.seed, std::nullopt);
    const auto layer = SearchOperators(rt, task, cfg.search);
    if (!net.Accept(layer, std::nullopt)) break;
  }
  return FineTune({problem, cfg.training, cfg.finetune, false, cfg.common.seed}, net.best(), rt);
}

MemoryNeed Memory(const PopConfig& cfg, const MemoryShape& s) { return GrownMemory(cfg, s, {}); }

}  // namespace

Algorithm PopFast() {
  return MakeAlgorithm<PopConfig, Train, Memory>(
      "popfast",
      "Progressive operational perceptron with a linear output "
      "layer: one operator search per layer.",
      "arXiv:1808.06377, Algorithm 2");
}

}  // namespace gopnet

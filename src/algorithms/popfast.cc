// POPfast: a network grows by one layer of generalized operational perceptrons at a time; each
// layer's operator set is the best of the library under a linear output layer. Tran et al.,
// "Progressive Operational Perceptron with Memory" (arXiv:1808.06377), Algorithm 2.
#include "algorithms/algorithm.h"
#include "nn/finetune.h"
#include "nn/growth.h"

namespace gopnet {
namespace {

struct Config {
  CommonConfig common;
  GrowthConfig growth;
  TrainingConfig training;
  SearchConfig search;
  FinetuneConfig finetune;
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    growth.Visit(v);
    training.Visit(v);
    search.Visit(v);
    finetune.Visit(v);
  }
};

Network Train(const Problem& problem, const Config& cfg, Runtime& rt) {
  Growth net(problem, cfg.growth, rt);
  for (const int units : cfg.growth.topology) {
    // Find hidden GOPs F_k: train the single-hidden-layer network for every phi in the library
    const LayerTask task = net.Task(units, cfg.training, cfg.common.seed, std::nullopt);
    const auto layer = SearchOperators(rt, task, cfg.search);
    if (!net.Accept(layer, std::nullopt)) break;
  }
  return FineTune({problem, cfg.training, cfg.finetune, false, cfg.common.seed}, net.best(), rt);
}

}  // namespace

Algorithm PopFast() {
  return MakeAlgorithm<Config, Train>("popfast",
                                      "Progressive operational perceptron with a linear output "
                                      "layer: one operator search per layer.",
                                      "arXiv:1808.06377, Algorithm 2");
}

}  // namespace gopnet

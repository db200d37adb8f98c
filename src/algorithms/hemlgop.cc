// HeMLGOP and its relatives: layers grow by blocks of GOPs, layers by layers. The operators of a
// block are those that do best with random weights under a ridge output layer; back-propagation
// then trains the block. Tran et al., "Heterogeneous Multilayer Generalized Operational Perceptron"
// (arXiv:1804.05093).
//   He...: every block has its own operators.     Ho...: all blocks of a layer share them.
//   ...MLGOP: blocks are trained.                 ...MLRN: blocks stay random until fine-tuning.
#include "algorithms/algorithm.h"
#include "grow/block_layer.h"
#include "grow/search_operators.h"
#include "train/finetune.h"

namespace gopnet {
namespace {

template <bool kTrained>
struct HeMlGopConfig {
  static constexpr bool kSearchesOperators = true;
  static std::vector<std::string> GridAxes() { return {}; }
  CommonConfig common;
  BlockLayerConfig layer;
  DepthConfig depth;
  StopConfig stop;
  LibraryConfig operators;
  FinetuneConfig finetune;
  HeMlGopConfig() {
    // Least squares give a block its output weights: for classes a start, for a quantile none.
    common.loss.names = {"auto", "cross_entropy", "mse"};
    layer.blocks.max_blocks = 5;
    depth.max_layers = 4;
  }
  void Visit(FieldVisitor& v) {
    common.Visit(v);
    layer.blocks.Visit(v);
    depth.Visit(v);
    layer.random.Visit(v);
    stop.Visit(v);
    if (kTrained) {
      layer.training.Visit(v);
    } else {
      layer.training.BatchConfig::Visit(v);  // of fine-tuning
    }
    operators.Visit(v);
    finetune.Visit(v);
  }
};

// Back-propagation through the new block and the whole output layer, from where it stands.
LayerProposal TrainBlock(Runtime& rt, const LayerTask& task, const LayerProposal& start,
                         LayerWorkspace& work, BlockRecord& record) {
  LayerTraining training(task, start);
  training.Advance(task.config.epochs, work, [&] { return rt.GoOn(); });
  rt.CheckStop();
  record.epochs = training.epochs();
  record.diverged += training.diverged();
  return training.diverged() ? start : training.best();
}

template <bool kHeterogeneous, bool kTrained>
Network Train(const Problem& problem, const HeMlGopConfig<kTrained>& cfg, Runtime& rt) {
  GrowingNetwork net(problem, cfg.stop, static_cast<size_t>(cfg.depth.max_layers), rt);
  LayerWorkspace work;
  for (bool more_layers = true; more_layers;) {
    BlockLayer layer(net, problem, cfg.layer, cfg.common.seed, rt);
    const std::vector<Candidate> sets = UsableSets(rt, layer.task(), cfg.operators);
    for (bool more_blocks = !sets.empty(); more_blocks;) {
      more_blocks = layer.AddBlock([&](BlockRecord& record) {
        // Random weights under a ridge output, with the best phi of the library
        LayerProposal block = kHeterogeneous || layer.size() == 0
                                  ? SearchRandomBlock(rt, layer, cfg.operators, sets, record)
                                  : layer.Solve(layer.first_phi(), 0, work);
        if (!block.score.valid) return block;
        layer.FitLogitScale(block, work);
        layer.Offer(block);
        return kTrained ? TrainBlock(rt, layer.task(), block, work, record) : block;
      });
    }
    more_layers = net.Accept(layer.Finish());
  }
  return FineTune({problem, cfg.layer.training, cfg.finetune, false, cfg.common.seed}, net.best(),
                  rt);
}

// The first layer has the most weights: those of one block in every kind of kernel, and those of
// all blocks in fine-tuning, its states, and each shard of a batch.
template <bool kTrained>
MemoryNeed Memory(const HeMlGopConfig<kTrained>& cfg, const MemoryShape& s) {
  constexpr double kShardRows = 16, kMostShards = 8;  // see NetworkPass
  const double blocks = cfg.layer.blocks.max_blocks, units = cfg.layer.blocks.block_size;
  const double batch = std::min(s.train_rows, 1.0 * cfg.layer.training.batch_size);
  const double shards = std::clamp(batch / kShardRows, 1.0, kMostShards);
  const double block = FloatBytes(s.features, units);
  return {RidgeBytes(cfg.common, s, units * blocks) + 12 * (s.threads + 1) * block +
              (16 + 5 * std::ceil(shards)) * blocks * block,
          blocks * (block + cfg.depth.max_layers * 4 * units * (units * blocks + s.outputs))};
}

constexpr char kReference[] = "arXiv:1804.05093";

}  // namespace

Algorithm HeMlGop() {
  return MakeAlgorithm<HeMlGopConfig<true>, Train<true, true>, Memory<true>>(
      "hemlgop",
      "Grows layers by blocks. Finds the operator set of each block with random weights and least "
      "squares, then trains the block.",
      kReference);
}
Algorithm HoMlGop() {
  return MakeAlgorithm<HeMlGopConfig<true>, Train<false, true>, Memory<true>>(
      "homlgop", "HeMLGOP with one operator set for all blocks of a layer.", kReference);
}
Algorithm HeMlRn() {
  return MakeAlgorithm<HeMlGopConfig<false>, Train<true, false>, Memory<false>>(
      "hemlrn", "HeMLGOP whose blocks keep their random weights until fine-tuning.", kReference);
}
Algorithm HoMlRn() {
  return MakeAlgorithm<HeMlGopConfig<false>, Train<false, false>, Memory<false>>(
      "homlrn",
      "HeMLRN with one operator set for all blocks of a layer: the fastest of the four to grow.",
      kReference);
}

}  // namespace gopnet

// HeMLGOP and its relatives: layers grow by blocks of GOPs, layers by layers. The operators of a
// block are those that do best with random weights under a ridge output layer; back-propagation
// then trains the block. Tran et al., "Heterogeneous Multilayer Generalized Operational Perceptron"
// (arXiv:1804.05093).
//   He...: every block has its own operators.     Ho...: all blocks of a layer share them.
//   ...MLGOP: blocks are trained.                 ...MLRN: blocks stay random until fine-tuning.
#include <algorithm>
#include <numeric>

#include "algorithms/algorithm.h"
#include "base/threads.h"
#include "nn/block_layer.h"
#include "nn/finetune.h"

namespace gopnet {
namespace {

template <bool kTrained>
struct Config {
  CommonConfig common;
  BlockLayerConfig layer;
  DepthConfig depth;
  StopConfig stop;
  LibraryConfig operators;
  FinetuneConfig finetune;
  Config() {
    layer.blocks.max_blocks = 5;
    depth.max_layers = 4;
  }
  template <class V>
  void Visit(V& v) {
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

// Random weights and a ridge output for every phi in the library; the best, or an invalid proposal.
LayerProposal SearchRandomBlock(Runtime& rt, const BlockLayer& layer,
                                const LibraryConfig& operators, const std::vector<Candidate>& sets,
                                BlockRecord& record) {
  const LayerTask& task = layer.task();
  std::vector<LayerProposal> proposals(sets.size());
  std::vector<LayerWorkspace> work(static_cast<size_t>(rt.threads));
  std::vector<size_t> order(sets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  CandidateBoard board(rt, task.problem, static_cast<int>(task.key.layer));
  board.Expect(static_cast<int>(sets.size()));
  RunTasks(order, rt.threads, [&](size_t i, int worker) {
    rt.CheckStop();
    const auto op = operators.shared_draws ? 0u : static_cast<uint32_t>(sets[i].index) + 1;
    proposals[i] = layer.Solve(sets[i].phi, op, work[static_cast<size_t>(worker)]);
    const Score& score = proposals[i].score;
    board.Report(sets[i].phi, nullptr, score, 0, 0, !score.valid);
  });
  record.candidates = static_cast<int>(sets.size());
  record.diverged = board.diverged();
  LayerProposal* best = &proposals[0];
  for (LayerProposal& p : proposals)
    if (Better(p.score, best->score, task.problem.direction)) best = &p;
  return std::move(*best);
}

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

// Finds one block, trains it, and adds it to the layer. False if the layer ends here.
template <bool kHeterogeneous, bool kTrained>
bool AddBlock(Runtime& rt, const Config<kTrained>& cfg, const std::vector<Candidate>& sets,
              LayerWorkspace& work, BlockLayer& layer) {
  const Stopwatch watch;
  BlockRecord record{
      .units = cfg.layer.blocks.block_size, .operator_set = {}, .val = {}, .candidates = 1};
  LayerProposal block = kHeterogeneous || layer.size() == 0
                            ? SearchRandomBlock(rt, layer, cfg.operators, sets, record)
                            : layer.Solve(layer.layer().blocks[0].phi, 0, work);
  if (!block.score.valid) return false;
  layer.Sharpen(block, work);
  if (kTrained) block = TrainBlock(rt, layer.task(), block, work, record);
  record.operator_set = Names(block.block.phi);
  record.val = {{layer.task().problem.metric, block.score.measure}};
  record.seconds = watch.Seconds();
  return layer.Accept(block, record);
}

template <bool kHeterogeneous, bool kTrained>
Network Train(const Problem& problem, const Config<kTrained>& cfg, Runtime& rt) {
  Growth net(problem, cfg.stop, static_cast<size_t>(cfg.depth.max_layers), rt);
  LayerWorkspace work;
  for (bool go_on = true; go_on;) {
    BlockLayer layer(net, problem, cfg.layer, cfg.common.seed, rt);
    const std::vector<Candidate> sets = UsableSets(rt, layer.task(), cfg.operators);
    for (bool more = !sets.empty(); more;)
      more = AddBlock<kHeterogeneous>(rt, cfg, sets, work, layer);
    go_on = net.Accept(layer.size() > 0 ? std::optional(layer.Finish()) : std::nullopt);
  }
  return FineTune({problem, cfg.layer.training, cfg.finetune, false, cfg.common.seed}, net.best(),
                  rt);
}

constexpr char kReference[] = "arXiv:1804.05093";

}  // namespace

Algorithm HeMlGop() {
  return MakeAlgorithm<Config<true>, Train<true, true>>(
      "hemlgop",
      "Layers grow by blocks, each with its own operator set, found with random weights and least "
      "squares, then trained.",
      kReference);
}
Algorithm HoMlGop() {
  return MakeAlgorithm<Config<true>, Train<false, true>>(
      "homlgop", "HeMLGOP with one operator set for all blocks of a layer.", kReference);
}
Algorithm HeMlRn() {
  return MakeAlgorithm<Config<false>, Train<true, false>>(
      "hemlrn", "HeMLGOP whose blocks keep their random weights until fine-tuning.", kReference);
}
Algorithm HoMlRn() {
  return MakeAlgorithm<Config<false>, Train<false, false>>(
      "homlrn",
      "HeMLRN with one operator set for all blocks of a layer: the fastest of the four to grow.",
      kReference);
}

}  // namespace gopnet

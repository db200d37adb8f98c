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
  BlockConfig blocks;
  StopConfig stop;
  TrainingConfig training;
  LibraryConfig library;
  FinetuneConfig finetune;
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    blocks.Visit(v);
    stop.Visit(v);
    if (kTrained) {
      training.Visit(v);
    } else {
      training.BatchConfig::Visit(v);  // of fine-tuning
    }
    library.Visit(v);
    finetune.Visit(v);
  }
};

// Random weights and a ridge output for every phi in the library; the best, or an invalid proposal.
LayerProposal SearchRandomBlock(Runtime& rt, const BlockLayer& layer, const LibraryConfig& library,
                                const std::vector<Candidate>& sets) {
  std::vector<LayerProposal> proposals(sets.size());
  std::vector<LayerWorkspace> work(static_cast<size_t>(rt.threads));
  std::vector<size_t> order(sets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  CandidateBoard board(rt, layer.task().problem, static_cast<int>(layer.task().key.layer));
  board.Expect(static_cast<int>(sets.size()));
  RunTasks(order, rt.threads, [&](size_t i, int worker) {
    rt.CheckStop();
    const auto op = library.shared_draws ? 0u : static_cast<uint32_t>(sets[i].index) + 1;
    proposals[i] = layer.Solve(sets[i].phi, op, work[static_cast<size_t>(worker)]);
    const Score& score = proposals[i].score;
    board.Report(sets[i].phi, nullptr, score, 0, 0, !score.valid);
  });
  const double direction = layer.task().problem.direction;
  LayerProposal* best = &proposals[0];
  for (LayerProposal& p : proposals)
    if (Better(p.score, best->score, direction)) best = &p;
  return std::move(*best);
}

// Back-propagation through the new block and the whole output layer, from where it stands.
LayerProposal TrainBlock(Runtime& rt, const LayerTask& task, const LayerProposal& start,
                         LayerWorkspace& work) {
  LayerTraining training(task, start);
  training.Advance(task.config.epochs, work, [&] { return rt.GoOn(); });
  rt.CheckStop();
  return training.diverged() ? start : training.best();
}

// One block: found, then trained. Invalid if no operator set works.
template <bool kHeterogeneous, bool kTrained>
LayerProposal NextBlock(Runtime& rt, const BlockLayer& layer, const LibraryConfig& library,
                        const std::vector<Candidate>& sets, LayerWorkspace& work) {
  const bool search = kHeterogeneous || layer.size() == 0;
  LayerProposal block = search ? SearchRandomBlock(rt, layer, library, sets)
                               : layer.Solve(layer.layer().blocks[0].phi, 0, work);
  if (!block.score.valid) return block;
  layer.Sharpen(block, work);
  return kTrained ? TrainBlock(rt, layer.task(), block, work) : block;
}

template <bool kHeterogeneous, bool kTrained>
Network Train(const Problem& problem, const Config<kTrained>& cfg, Runtime& rt) {
  Growth net(problem, cfg.stop, static_cast<size_t>(cfg.blocks.max_layers), rt);
  LayerWorkspace work;
  for (bool go_on = true; go_on;) {
    BlockLayer layer(net, problem, cfg.blocks, cfg.training, cfg.common.seed, rt);
    const std::vector<Candidate> sets = UsableSets(rt, layer.task(), cfg.library);
    for (bool more = !sets.empty(); more;) {
      const Stopwatch watch;
      const LayerProposal block =
          NextBlock<kHeterogeneous, kTrained>(rt, layer, cfg.library, sets, work);
      if (!block.score.valid) break;
      const bool searched = kHeterogeneous || layer.size() == 0;
      more = layer.Accept(block, {cfg.blocks.block_size,
                                  Names(block.block.phi),
                                  {{problem.metric, block.score.measure}},
                                  searched ? static_cast<int>(sets.size()) : 1,
                                  kTrained ? cfg.training.epochs : 0,
                                  watch.Seconds()});
    }
    go_on = net.Accept(layer.size() > 0 ? std::optional(layer.Finish()) : std::nullopt);
  }
  return FineTune({problem, cfg.training, cfg.finetune, false, cfg.common.seed}, net.best(), rt);
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

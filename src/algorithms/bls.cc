// BLS, the broad learning system: groups of feature nodes, sparse codes of the input, and groups of
// enhancement nodes, random functions of the features, grow side by side under a linear output.
// Chen & Liu, "Broad Learning System" (2018), as evaluated in arXiv:1808.06377, section 4.2.
#include <algorithm>

#include "algorithms/algorithm.h"
#include "base/check.h"
#include "linalg/greville.h"
#include "linalg/ridge.h"
#include "nn/broad_nodes.h"
#include "nn/grid.h"

namespace gopnet {
namespace {

struct Config {
  CommonConfig common;
  PatientBlocksConfig blocks;
  RandomNodesConfig nodes;
  BroadConfig broad;
  std::string update = "exact";
  Config() {
    common.squared_error = true;
    blocks.block_patience = 10;
    nodes.ridge = 1e-3;
  }
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    blocks.Visit(v);
    nodes.Visit(v);
    broad.Visit(v);
    v(update, {.name = "update",
               .choices = {"exact", "greville"},
               .doc = "How output weights follow new nodes: exact ridge regression, or the "
                      "published recursion, which is not that."});
  }
};

// Output weights for the columns so far; a step proposes, and is accepted whether the network keeps
// it or not, since a later one may still improve on the best (patience).
class OutputWeights {
 public:
  OutputWeights(const Config& cfg, BroadNodes& nodes)
      : nodes_(nodes), exact_(cfg.nodes.ridge, nodes.target_mean().size()) {
    if (cfg.update == "greville") greville_.emplace(cfg.nodes.ridge, nodes.Targets());
  }

  DenseMatrix Add(size_t step) {
    const BroadNodes::Step& s = nodes_.Get(step);
    if (!greville_) {
      exact_.Accept(exact_.Propose(s.cross, s.self, s.rhs));
      return exact_.Solve();
    }
    const size_t width = nodes_.width();
    const ConstView a = nodes_.Train(step + 1);
    const ConstView q{a.data + step * width, a.rows, width, a.stride};
    const std::vector<double> mean = nodes_.Mean(step + 1);
    greville_->Add({q, mean.data() + step * width, nodes_.weights()});
    return greville_->weights();
  }

 private:
  BroadNodes& nodes_;
  GrowingRidge exact_;
  std::optional<GrevillePseudoInverse> greville_;
};

// Two layers: all feature nodes; then all enhancement nodes, with the features handed on.
Network Assemble(const Config& cfg, const BroadNodes& nodes, size_t steps, const DenseMatrix& w) {
  const auto k = static_cast<size_t>(cfg.blocks.block_size);
  const size_t units = steps * k, inputs = nodes.groups()[0].feature.inputs();
  Layer first{{Perceptrons("sigmoid", inputs, units)}},
      second{{Perceptrons("sigmoid", units, units)}};
  second.keeps_input = true;
  const auto place = [&](const Block& part, size_t column, Block& all) {
    for (size_t i = 0; i < part.inputs(); ++i)  // an enhancement node sees the features of its time
      std::copy_n(part.w.Row(i), k, all.w.Row(i) + column);
    std::copy_n(part.b.data(), k, all.b.data() + column);
  };
  const OutputLayer grown = ToOutput(w, nodes.Mean(steps), nodes.target_mean());
  OutputLayer output{Mat(2 * units, w.cols), grown.b};
  for (size_t s = 0; s < steps; ++s) {
    place(nodes.groups()[s].feature, s * k, first.blocks[0]);
    place(nodes.groups()[s].enhancement, s * k, second.blocks[0]);
    for (size_t j = 0; j < k; ++j) {  // grown: [Z_1, H_1, Z_2, ...]; the network: [H, Z]
      std::copy_n(grown.w.Row(2 * s * k + j), w.cols, output.w.Row(units + s * k + j));
      std::copy_n(grown.w.Row(2 * s * k + k + j), w.cols, output.w.Row(s * k + j));
    }
  }
  return {{std::move(first), std::move(second)}, std::move(output)};
}

// What became of the steps, told as two layers.
void Tell(const Problem& problem, const Config& cfg, const Network& net,
          const std::vector<BlockRecord>& blocks, double seconds, Runtime& rt) {
  LayerRecord record;
  const Score score = MeasureNetwork(problem, net, record);
  record.units = cfg.blocks.block_size * static_cast<int>(blocks.size());
  record.operator_set = Names(net.layers[0].blocks[0].phi);
  record.blocks = blocks;
  record.seconds = seconds / 2;  // the two layers grow together
  for (int k = 1; k <= 2; ++k) {
    rt.history.layers.push_back(record);
    if (rt.observer != nullptr) rt.observer->OnLayer(record, k, true);
  }
  if (rt.checkpoint && score.valid) rt.checkpoint(net);
}

std::string Reason(const Problem& problem, const Config& cfg, const StopRule& rule, size_t steps) {
  const std::string measure = (problem.val.size() ? "validation " : "training ") + problem.metric;
  if (rule.exhausted()) {
    return Join("step ", steps, " improved ", measure, " by less than ",
                FormatValue(cfg.blocks.block_threshold));
  }
  return rule.perfect() ? Join("step ", steps, " is perfect by ", measure)
                        : Join("all ", steps, " steps are done");
}

// A network in growth: each step adds a group of feature nodes and one of enhancement nodes.
class Growing {
 public:
  Growing(const Problem& problem, const Config& cfg, BroadNodes& nodes, Runtime& rt)
      : problem_(problem),
        cfg_(cfg),
        nodes_(nodes),
        rt_(rt),
        rule_(problem, cfg.blocks.block_threshold, cfg.blocks.block_patience,
              cfg.nodes.keep_last()),
        output_(cfg, nodes) {}

  Network Grow() {
    const Stopwatch watch;
    OrOffer(
        rt_, [&] { AllSteps(); }, [&] { return Best(); });
    std::optional<Network> net = Best();
    Check(net.has_value(),
          "the outputs of the first step are not finite; check the data for extreme values");
    rt_.history.stopped = Reason(problem_, cfg_, rule_, blocks_.size());
    blocks_.resize(best_steps_);
    Tell(problem_, cfg_, *net, blocks_, watch.Seconds(), rt_);
    return std::move(*net);
  }

 private:
  void AllSteps() {
    for (size_t step = 0; step < static_cast<size_t>(cfg_.blocks.max_blocks); ++step) {
      rt_.CheckStop();
      Step(step);
      if (rule_.exhausted() || rule_.perfect()) break;
    }
  }

  void Step(size_t step) {
    const Stopwatch watch;
    DenseMatrix w = output_.Add(step);
    const Score score = ScoreOutput(problem_, ChoosingRows(problem_), nodes_.Choosing(step + 1),
                                    ToOutput(w, nodes_.Mean(step + 1), nodes_.target_mean()));
    const bool taken = rule_.Take(score);
    blocks_.push_back({2 * cfg_.blocks.block_size,
                       Names(nodes_.groups()[step].feature.phi),
                       {{problem_.metric, score.measure}},
                       1,
                       0,
                       0,
                       watch.Seconds()});
    if (rt_.observer != nullptr)
      rt_.observer->OnBlock(blocks_.back(), 1, static_cast<int>(step) + 1, taken);
    if (!taken) return;
    best_ = std::move(w);
    best_steps_ = step + 1;
  }

  std::optional<Network> Best() const {
    if (best_steps_ == 0) return std::nullopt;
    return Assemble(cfg_, nodes_, best_steps_, best_);
  }

  const Problem& problem_;
  const Config& cfg_;
  BroadNodes& nodes_;
  Runtime& rt_;
  StopRule rule_;
  OutputWeights output_;
  DenseMatrix best_;
  size_t best_steps_ = 0;
  std::vector<BlockRecord> blocks_;
};

Network Train(const Problem& problem, const Config& cfg, Runtime& rt) {
  if (cfg.nodes.grid == "none") {
    BroadNodes nodes(problem, cfg.broad, cfg.blocks.block_size, cfg.common.seed, rt);
    return Growing(problem, cfg, nodes, rt).Grow();
  }
  std::vector<std::map<std::string, double>> grid;
  for (const double l1 : PaperGrid())
    for (const double ridge : PaperGrid()) grid.push_back({{"l1", l1}, {"ridge", ridge}});
  Config setting = cfg;
  std::optional<BroadNodes> nodes;  // of one l1, for all values of ridge
  return BestOfGrid(problem, grid, rt, [&](size_t i, Runtime& trial) {
    if (!nodes || setting.broad.l1 != grid[i].at("l1")) {
      setting.broad.l1 = grid[i].at("l1");
      nodes.emplace(problem, setting.broad, cfg.blocks.block_size, cfg.common.seed, rt);
    }
    setting.nodes.ridge = grid[i].at("ridge");
    return Growing(problem, setting, *nodes, trial).Grow();
  });
}

}  // namespace

Algorithm Bls() {
  return MakeAlgorithm<Config, Train>(
      "bls",
      "Broad learning system: sparse features of the input and random functions of them grow side "
      "by side under a linear output.",
      "Chen & Liu 2018; arXiv:1808.06377, section 2.2");
}

}  // namespace gopnet

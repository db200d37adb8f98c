// BLS, the broad learning system: groups of feature nodes, sparse codes of the input, and groups of
// enhancement nodes, random functions of the features, grow side by side under a linear output.
// Chen & Liu, "Broad Learning System" (2018); arXiv:1808.06377, section 2.2.
#include <algorithm>

#include "algorithms/algorithm.h"
#include "algorithms/bls_nodes.h"
#include "grow/grid.h"
#include "grow/growth_steps.h"
#include "linalg/greville.h"
#include "linalg/ridge.h"

namespace gopnet {
namespace {

enum class Update { kExact, kGreville };
std::vector<std::string> ChoiceNames(Update) { return {"exact", "greville"}; }

struct BlsConfig {
  static constexpr bool kSearchesOperators = false;
  static std::vector<std::string> GridAxes() { return {"l1", "ridge"}; }
  CommonConfig common;
  PatientBlocksConfig blocks;
  RandomNodesConfig nodes;
  BlsNodesConfig broad;
  Update update = Update::kExact;
  BlsConfig() {
    common.loss.names = {"mse"};
    blocks.block_patience = 10;
    nodes.ridge = 1e-3;
  }
  void Visit(FieldVisitor& v) {
    common.Visit(v);
    blocks.Visit(v);
    nodes.Visit(v);
    broad.Visit(v);
    v(update, {.name = "update",
               .doc = "How to update the output weights for new nodes: exact uses ridge "
                      "regression, greville the published recursion, which approximates it."});
  }
};

// W = (A^T A + c I)^-1 A^T T for the columns A of all steps so far, also of those that the network
// will drop: a later step may still improve on the best.
class OutputWeights {
 public:
  OutputWeights(const BlsConfig& cfg, BlsNodes& nodes)
      : nodes_(nodes), exact_(cfg.nodes.ridge, nodes.target_mean().size()) {
    if (cfg.update == Update::kGreville) greville_.emplace(cfg.nodes.ridge, nodes.Targets());
  }

  DenseMatrix Add(size_t step) {
    const BlsNodes::Step& s = nodes_.Get(step);
    if (!greville_) {
      exact_.Accept(exact_.Propose(s.cross, s.self, s.rhs));
      return exact_.Solve();
    }
    const size_t width = nodes_.width(), before = (step - 1) * width;
    const ConstView a = nodes_.Train(step);
    const ConstView q{a.data + before, a.rows, width, a.stride};
    const std::vector<double> mean = nodes_.Mean(step);
    greville_->Add({q, mean.data() + before, nodes_.weights()});
    return greville_->weights();
  }

 private:
  BlsNodes& nodes_;
  GrowingRidge exact_;
  std::optional<GrevillePseudoInverse> greville_;
};

// Two layers: all feature nodes; then all enhancement nodes, with the features handed on.
Network Assemble(const BlsConfig& cfg, const BlsNodes& nodes, size_t steps, const DenseMatrix& w) {
  const auto k = static_cast<size_t>(cfg.blocks.block_size);
  const size_t units = steps * k, inputs = nodes.groups()[0].feature.inputs();
  Layer first{{Perceptrons("sigmoid", inputs, units)}},
      second{{Perceptrons("sigmoid", units, units)}};
  second.keeps_input = true;
  const auto place = [&](const Block& part, size_t column, Block& all) {
    // an enhancement node sees the features of its time
    CopyRows(part.w.view(), all.w.view().Part(0, column, part.inputs(), k));
    std::copy_n(part.b.data(), k, all.b.data() + column);
  };
  const OutputLayer grown = ToOutput(w, nodes.Mean(steps), nodes.target_mean());
  OutputLayer output{Mat(2 * units, w.cols()), grown.b};
  for (size_t s = 0; s < steps; ++s) {
    place(nodes.groups()[s].feature, s * k, first.blocks[0]);
    place(nodes.groups()[s].enhancement, s * k, second.blocks[0]);
    for (size_t j = 0; j < k; ++j) {  // grown: [Z_1, H_1, Z_2, ...]; the network: [H, Z]
      std::copy_n(grown.w.Row(2 * s * k + j), w.cols(), output.w.Row(units + s * k + j));
      std::copy_n(grown.w.Row(2 * s * k + k + j), w.cols(), output.w.Row(s * k + j));
    }
  }
  return {{std::move(first), std::move(second)}, std::move(output)};
}

struct Step {
  size_t number;
  DenseMatrix w;
  Score score = {};
};

Network Grow(const Problem& problem, const BlsConfig& cfg, BlsNodes& nodes, Runtime& rt) {
  OutputWeights output(cfg, nodes);
  BlockGrowth steps(problem, cfg.blocks, cfg.nodes.keep_last(), 1, rt);
  const auto add_nodes = [&](int number) {  // A <- [A, Z_i, H_i]
    const auto i = static_cast<size_t>(number);
    Step step{i, output.Add(i)};
    step.score = ScoreOutput(problem, nodes.Train(i), nodes.Val(i),
                             ToOutput(step.w, nodes.Mean(i), nodes.target_mean()));
    return step;
  };
  const auto as_network = [&](const Step& s) { return Assemble(cfg, nodes, s.number, s.w); };
  const BlockRecord group{2 * cfg.blocks.block_size, {"multiplication", "sum", "sigmoid"}, {}, 1};
  Network net = as_network(steps.Grow<Step>(group, add_nodes, as_network));
  steps.Finish(net);
  return net;
}

Network Train(const Problem& problem, const BlsConfig& cfg, Runtime& rt) {
  std::optional<BlsNodes> nodes;  // of one l1, for all values of ridge
  return TrainOnGrid(problem, cfg, rt, [&](const BlsConfig& setting, Runtime& trial) {
    if (!nodes || nodes->l1() != setting.broad.l1)
      nodes.emplace(problem, setting.broad, cfg.blocks.block_size, cfg.common.seed, rt);
    return Grow(problem, setting, *nodes, trial);
  });
}

// Features and as many enhancement nodes, and X~. A grid keeps and writes the best network so far.
MemoryNeed Memory(const BlsConfig& cfg, const MemoryShape& s) {
  const double nodes = 1.0 * cfg.blocks.block_size * cfg.blocks.max_blocks;
  const double input = 4 * s.rows * (s.features + 1);
  return {input + RidgeBytes(cfg.common, s, 2 * nodes) +
              (cfg.nodes.has_grid() ? 112 : 32) * s.features * nodes,
          4 * nodes * (s.features + nodes + 2 * s.outputs)};
}

}  // namespace

Algorithm Bls() {
  return MakeAlgorithm<BlsConfig, Train, Memory>(
      "bls",
      "Broad learning system: grows sparse features of the input and random functions of these "
      "features under a linear output.",
      "Chen & Liu 2018; arXiv:1808.06377, section 2.2");
}

}  // namespace gopnet

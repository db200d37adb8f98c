// PLN, the progressive learning network: each layer passes the last prediction on without loss and
// adds random nodes; its output weights are least squares of bounded norm, so the training cost
// never rises. Chatterjee et al., "Progressive Learning for Systematic Design of Large Neural
// Networks" (arXiv:1710.08177); arXiv:1808.06377, section 2.2.
#include "algorithms/algorithm.h"
#include "algorithms/pln_weights.h"
#include "grow/grid.h"
#include "grow/growth_steps.h"
#include "grow/random_nodes.h"

namespace gopnet {
namespace {

struct PlnConfig {
  static constexpr bool kSearchesOperators = false;
  // The exact solution has no use for admm_mu.
  static std::vector<std::string> GridAxes(bool admm = true) {
    if (!admm) return {"ridge", "norm_bound"};
    return {"ridge", "norm_bound", "admm_mu"};
  }
  CommonConfig common;
  StopConfig stop;
  RandomNodesConfig nodes;
  PatientBlocksConfig blocks;
  DepthConfig depth;
  PlnWeightsConfig weights;
  PlnConfig() {
    common.loss.names = {"mse"};
    nodes.ridge = 10;
    blocks.block_patience = 5;
  }
  void Visit(FieldVisitor& v) {
    common.Visit(v);
    blocks.Visit(v);
    depth.Visit(v);
    stop.Visit(v);
    nodes.Visit(v);
    weights.Visit(v);
  }
};

// [O, -O] under ReLU: nothing of y O is lost, since max(0, t) - max(0, -t) = t.
Block LosslessFlow(const DenseMatrix& o) {
  Block block = Perceptrons("relu", o.rows(), 2 * o.cols());
  for (size_t i = 0; i < o.rows(); ++i) {
    for (size_t c = 0; c < o.cols(); ++c) {
      block.w.Row(i)[c] = static_cast<float>(o(i, c));
      block.w.Row(i)[o.cols() + c] = -block.w.Row(i)[c];
    }
  }
  return block;
}

// R_l of so many blocks; nodes keep their weights when others are added.
Block RandomPart(const PlnConfig& cfg, size_t inputs, int layer, int blocks) {
  const auto size = static_cast<size_t>(cfg.blocks.block_size);
  Block all = Perceptrons("relu", inputs, size * static_cast<size_t>(blocks), Norm::kRow);
  for (int j = 0; j < blocks; ++j) {
    const StreamKey key{cfg.common.seed, static_cast<uint32_t>(layer), static_cast<uint32_t>(j) + 1,
                        0};
    const Block part = RandomPerceptrons("relu", inputs, size, 1, key, Purpose::kFeatureNodes);
    CopyRows(part.w.view(), all.w.view().Part(0, static_cast<size_t>(j) * size, inputs, size));
  }
  return all;
}

// A layer of some width: Y_l on training and validation rows, and O_l.
struct Width {
  Layer layer = {};
  Mat y = {}, y_val = {};
  DenseMatrix o = {};
  Score score = {};
  OutputLayer output() const { return ToOutput(o, {}, {}); }
  Network AsNetwork() const { return {{layer}, output()}; }
};

Mat Features(const Layer& layer, ConstView x, int threads) {
  return SideBySide(BlockFeatures(layer.blocks[0], x, threads),
                    BlockFeatures(layer.blocks[1], x, threads));
}

Network Grow(const Problem& problem, const PlnConfig& cfg, PlnWeights& weights, Runtime& rt) {
  ConstView y = problem.train.x.view(), y_val = problem.val.x.view();  // Y_{l-1}
  Width last{.o = weights.OfInput(cfg.nodes.ridge)};
  Network net;
  LayerGrowth growth(problem, cfg.stop, cfg.depth.max_layers, rt, cfg.nodes.keep_last());
  return growth.Grow([&](LayerRecord& record) {
    const int l = static_cast<int>(net.layers.size()) + 1;
    // Y_l = max(0, [T_{l-1}, -T_{l-1}, rownorm(Y_{l-1} R_l)]), R_l of so many blocks
    const auto widen = [&](int blocks) {
      Width width;
      width.layer.blocks = {LosslessFlow(last.o), RandomPart(cfg, y.cols, l, blocks)};
      width.y = Features(width.layer, y, rt.threads);
      width.y_val = Features(width.layer, y_val, rt.threads);
      width.o = weights.OfLayer(l, blocks, width.y, cfg.weights);  // argmin ||T - Y_l O||^2
      width.score = ScoreOutput(problem, width.y.view(), width.y_val.view(), width.output());
      return width;
    };
    BlockGrowth blocks(problem, cfg.blocks, cfg.nodes.keep_last(), l, rt);
    const BlockRecord block{cfg.blocks.block_size, {"multiplication", "sum", "relu"}, {}, 1};
    last = blocks.Grow<Width>(block, widen, &Width::AsNetwork);
    y = last.y.view();
    y_val = last.y_val.view();
    net.layers.push_back(last.layer);
    net.output = last.output();
    record.blocks = blocks.records();
    return net;
  });
}

Network Train(const Problem& problem, const PlnConfig& cfg, Runtime& rt) {
  if (cfg.weights.norm_bound && *cfg.weights.norm_bound < 1)
    rt.Warn("norm_bound is below 1, so a new layer may raise the loss");
  PlnWeights weights(problem, cfg.nodes.has_grid(), rt.threads);
  const auto train = [&](const PlnConfig& setting, Runtime& trial) {
    return Grow(problem, setting, weights, trial);
  };
  return TrainOnGrid(problem, cfg, rt, train,
                     PlnConfig::GridAxes(cfg.weights.solver == PlnSolver::kAdmm));
}

// Two nodes an output, and random ones. A layer is seen with one block more, with the best so far,
// and above the layer before.
MemoryNeed Memory(const PlnConfig& cfg, const MemoryShape& s) {
  const double blocks = cfg.blocks.max_blocks, layers = std::min(cfg.depth.max_layers, 3);
  const auto nodes = [&](double of) { return 2 * s.outputs + cfg.blocks.block_size * of; };
  const double n = nodes(blocks), middle = nodes((blocks + 1) / 2);
  const double solver = 24 * n * (n + s.outputs);
  const double width = n * (4 * s.rows + 8 * s.outputs);
  const double widths = std::min(blocks, 2.0) + (layers > 1 ? 1 : 0);
  const double weights = 4 * n * (s.features + (layers - 1) * n);
  // of the first layer for every number of blocks, see PlnWeights
  const double shared = cfg.nodes.has_grid() ? 8 * blocks * middle * (middle + s.outputs) : 0;
  return {22 * s.features * s.features + solver + widths * width + 3 * weights + shared +
              4 * s.rows * s.outputs + TargetBytes(cfg.common, s),
          weights + 4 * n * s.outputs};
}

}  // namespace

Algorithm Pln() {
  return MakeAlgorithm<PlnConfig, Train, Memory>(
      "pln",
      "Progressive learning network: each layer passes on the last prediction without loss and "
      "adds random nodes; the norm of the output weights is bounded.",
      "arXiv:1710.08177; arXiv:1808.06377, section 2.2");
}

}  // namespace gopnet

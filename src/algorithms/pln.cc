// PLN, the progressive learning network: each layer passes the last prediction on without loss and
// adds random nodes; its output weights are least squares of bounded norm, so the training cost
// never rises. Chatterjee et al., "Progressive Learning for Systematic Design of Large Neural
// Networks" (arXiv:1710.08177), as evaluated in arXiv:1808.06377, section 4.2.
#include <cmath>

#include "algorithms/algorithm.h"
#include "linalg/bounded.h"
#include "linalg/ridge.h"
#include "nn/grid.h"
#include "nn/random_nodes.h"
#include "nn/targets.h"

namespace gopnet {
namespace {

struct Config {
  CommonConfig common;
  StopConfig stop;
  RandomNodesConfig nodes;
  PatientBlocksConfig blocks;
  DepthConfig depth;
  AdmmConfig admm;
  std::optional<double> norm_bound;
  std::string solver = "exact";
  double admm_mu = 1;
  Config() {
    common.squared_error = true;
    nodes.ridge = 10;
    blocks.block_patience = 5;
  }
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    blocks.Visit(v);
    depth.Visit(v);
    stop.Visit(v);
    nodes.Visit(v);
    v(norm_bound, {.name = "norm_bound",
                   .min = 0,
                   .max = 1e9,
                   .doc = "Output weights O of a layer have ||O||^2 <= norm_bound * 2 outputs; "
                          "none is 2, or 1 for regression. Below 1 the cost may rise."});
    v(solver, {.name = "solver",
               .choices = {"exact", "admm"},
               .doc = "How bounded output weights are found: exactly, or by the published ADMM."});
    v(admm_mu, {.name = "admm_mu",
                .min = 1e-9,
                .max = 1e9,
                .doc = "Penalty parameter of ADMM for output weights."});
    admm.Visit(v);
  }
  double Bound(const Problem& problem) const {
    const double alpha = norm_bound.value_or(problem.task == Task::kClassification ? 2 : 1);
    return alpha * 2 * static_cast<double>(problem.outputs);
  }
};

// [O, -O] under ReLU: nothing of y O is lost, since max(0, t) - max(0, -t) = t.
Block LosslessFlow(const DenseMatrix& o) {
  Block block = Perceptrons("relu", o.rows, 2 * o.cols);
  for (size_t i = 0; i < o.rows; ++i) {
    for (size_t c = 0; c < o.cols; ++c) {
      block.w.Row(i)[c] = static_cast<float>(o(i, c));
      block.w.Row(i)[o.cols + c] = -block.w.Row(i)[c];
    }
  }
  return block;
}

// R of `blocks` blocks: nodes keep their weights when others are added.
Block RandomPart(const Config& cfg, size_t inputs, uint32_t layer, int blocks) {
  const auto size = static_cast<size_t>(cfg.blocks.block_size);
  Block all = Perceptrons("relu", inputs, size * static_cast<size_t>(blocks), Norm::kRow);
  for (int j = 0; j < blocks; ++j) {
    const StreamKey key{cfg.common.seed, layer, static_cast<uint32_t>(j) + 1, 0};
    const Block part = RandomPerceptrons("relu", inputs, size, 1, key, Purpose::kFeatureNodes);
    for (size_t i = 0; i < inputs; ++i)
      std::copy_n(part.w.Row(i), size, all.w.Row(i) + static_cast<size_t>(j) * size);
  }
  return all;
}

// Y^T Y and Y^T T of one Y: what min ||T - Y O||^2 with ||O||^2 <= bound needs.
struct Normal {
  DenseMatrix gram, rhs;
  DenseMatrix Solve(const Config& cfg, double bound) const {
    if (cfg.solver == "admm")
      return SolveBoundedAdmm(gram, rhs, bound, cfg.admm_mu, cfg.admm.admm_iterations);
    return BoundedLeastSquares(gram, rhs).Solve(bound);
  }
};

// What the settings of a grid share: X^T X for every ridge; and, for one ridge and every bound, the
// products of the first layer, which no bound has touched yet.
struct Shared {
  std::optional<RidgePath> input;
  double ridge = -1;
  std::map<int, Normal> first;  // by the blocks of the layer
};

// A network in growth: its layers, Y_l on the training rows and on those that choose, and O_l.
class Growing {
 public:
  Growing(const Problem& problem, const Config& cfg, Shared& shared, Runtime& rt)
      : problem_(problem),
        cfg_(cfg),
        shared_(shared),
        rt_(rt),
        targets_(TargetMatrix(problem, problem.train)),
        by_val_(problem.val.size() > 0) {}

  Network Grow() {
    Progression progression(problem_, cfg_.stop, cfg_.depth.max_layers, rt_,
                            cfg_.nodes.keep_last());
    // O_0 = (X^T X + c I)^-1 X^T T
    const Columns x{problem_.train.x.view(), nullptr, problem_.train.Weights()};
    if (!shared_.input)
      shared_.input.emplace(SelfGram(x, rt_.threads), CrossGram(x, Targets(), rt_.threads));
    if (shared_.ridge != cfg_.nodes.ridge) shared_.first.clear();
    shared_.ridge = cfg_.nodes.ridge;
    o_ = shared_.input->Solve(cfg_.nodes.ridge);
    for (bool go_on = true; go_on;) {
      const Stopwatch watch;
      LayerRecord record = AddLayer();
      const Score score = MeasureNetwork(problem_, net_, record);
      record.seconds = watch.Seconds();
      go_on = progression.Accept(net_, score, record);
    }
    return progression.best();
  }

 private:
  Columns Targets() const { return {targets_.view(), nullptr, problem_.train.Weights()}; }
  ConstView Train() const { return net_.layers.empty() ? problem_.train.x.view() : y_.view(); }
  ConstView Val() const { return net_.layers.empty() ? problem_.val.x.view() : y_val_.view(); }

  struct Step {
    Layer layer;
    Mat y, y_val;
    DenseMatrix o;
  };

  LayerRecord AddLayer() {
    Step best;
    LayerRecord record;
    OrOffer(
        rt_, [&] { Widen(best, record); },
        [&] {
          const bool none = best.layer.blocks.empty() || !net_.layers.empty();
          return none ? std::nullopt
                      : std::optional(Network{{best.layer}, ToOutput(best.o, {}, {})});
        });
    Take(std::move(best), record);
    return record;
  }

  // Y_l = max(0, [T_{l-1}, -T_{l-1}, rownorm(Y_{l-1} R_l)]), R_l as wide as validation asks.
  void Widen(Step& best, LayerRecord& record) {
    const auto number = static_cast<uint32_t>(net_.layers.size()) + 1;
    const double bound = cfg_.Bound(problem_);
    StopRule rule(problem_, cfg_.blocks.block_threshold, cfg_.blocks.block_patience,
                  cfg_.nodes.keep_last());
    std::vector<BlockRecord> trial;  // after the best
    for (int blocks = 1; blocks <= cfg_.blocks.max_blocks && !rule.exhausted(); ++blocks) {
      rt_.CheckStop();
      const Stopwatch watch;
      Step step = Wide(number, blocks);
      step.o = Products(number, blocks, step.y).Solve(cfg_, bound);
      const Score score =
          ScoreOutput(problem_, ChoosingRows(problem_), by_val_ ? step.y_val.view() : step.y.view(),
                      ToOutput(step.o, {}, {}));
      const BlockRecord block{cfg_.blocks.block_size,
                              Names(step.layer.blocks[1].phi),
                              {{problem_.metric, score.measure}},
                              1,
                              0,
                              0,
                              watch.Seconds()};
      const bool taken = rule.Take(score);
      if (rt_.observer != nullptr)
        rt_.observer->OnBlock(block, static_cast<int>(number), blocks, taken);
      trial.push_back(block);
      if (!taken) continue;
      record.blocks.insert(record.blocks.end(), trial.begin(), trial.end());
      trial.clear();
      best = std::move(step);
      if (rule.perfect()) break;
    }
  }

  Normal Multiply(const Mat& y) const {
    const Columns columns{y.view(), nullptr, problem_.train.Weights()};
    return {SelfGram(columns, rt_.threads), CrossGram(columns, Targets(), rt_.threads)};
  }

  // Those of the first layer are kept for the other settings of a grid.
  Normal Products(uint32_t number, int blocks, const Mat& y) {
    if (number > 1 || cfg_.nodes.grid == "none") return Multiply(y);
    const auto known = shared_.first.find(blocks);
    if (known != shared_.first.end()) return known->second;
    return shared_.first[blocks] = Multiply(y);
  }

  Step Wide(uint32_t number, int blocks) const {
    Step step;
    step.layer.blocks = {LosslessFlow(o_), RandomPart(cfg_, Train().cols, number, blocks)};
    step.y = Features(step.layer, Train());
    if (by_val_) step.y_val = Features(step.layer, Val());
    return step;
  }

  Mat Features(const Layer& layer, ConstView x) const {
    return SideBySide(BlockFeatures(layer.blocks[0], x, rt_.threads),
                      BlockFeatures(layer.blocks[1], x, rt_.threads));
  }

  void Take(Step step, LayerRecord& record) {
    record.units = static_cast<int>(step.layer.units());
    record.operator_set = Names(step.layer.blocks[0].phi);
    net_.layers.push_back(std::move(step.layer));
    net_.output = ToOutput(step.o, {}, {});
    y_ = std::move(step.y);
    y_val_ = std::move(step.y_val);
    o_ = std::move(step.o);
  }

  const Problem& problem_;
  const Config& cfg_;
  Shared& shared_;
  Runtime& rt_;
  Mat targets_;
  bool by_val_;
  Network net_;
  Mat y_, y_val_;
  DenseMatrix o_;
};

Network Train(const Problem& problem, const Config& cfg, Runtime& rt) {
  if (cfg.norm_bound && *cfg.norm_bound < 1)
    rt.Warn("norm_bound below 1: a layer may not be able to repeat the one before it");
  Shared shared;
  if (cfg.nodes.grid == "none") return Growing(problem, cfg, shared, rt).Grow();
  std::vector<std::map<std::string, double>> grid;
  for (const double ridge : PaperGrid()) {
    for (const double bound : PaperGrid()) {
      if (cfg.solver == "exact") grid.push_back({{"ridge", ridge}, {"norm_bound", bound}});
      if (cfg.solver == "exact") continue;
      for (const double mu : PaperGrid())
        grid.push_back({{"ridge", ridge}, {"norm_bound", bound}, {"admm_mu", mu}});
    }
  }
  return BestOfGrid(problem, grid, rt, [&](size_t i, Runtime& trial) {
    Config setting = cfg;
    setting.nodes.ridge = grid[i].at("ridge");
    setting.norm_bound = grid[i].at("norm_bound");
    if (cfg.solver == "admm") setting.admm_mu = grid[i].at("admm_mu");
    return Growing(problem, setting, shared, trial).Grow();
  });
}

}  // namespace

Algorithm Pln() {
  return MakeAlgorithm<Config, Train>("pln",
                                      "Progressive learning network: lossless flow of the last "
                                      "prediction, random nodes, output weights of bounded norm.",
                                      "arXiv:1710.08177; arXiv:1808.06377, section 2.2");
}

}  // namespace gopnet

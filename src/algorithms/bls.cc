// BLS, the broad learning system: groups of feature nodes, sparse codes of the input, and groups of
// enhancement nodes, random functions of the features, grow side by side under a linear output.
// Chen & Liu, "Broad Learning System" (2018), as evaluated in arXiv:1808.06377, section 4.2.
#include <algorithm>
#include <cmath>

#include "algorithms/algorithm.h"
#include "base/check.h"
#include "linalg/gemm.h"
#include "linalg/greville.h"
#include "linalg/lasso.h"
#include "linalg/ridge.h"
#include "nn/random_nodes.h"
#include "nn/targets.h"

namespace gopnet {
namespace {

struct Config {
  CommonConfig common;
  RandomNodesConfig nodes;
  InputScaleConfig scale;
  int block_size = 20;
  int max_blocks = 50;
  double block_threshold = 1e-4;
  int block_patience = 10;
  double l1 = 1e-3;
  double admm_rho = 0;
  int admm_iterations = 500;
  double enhancement_scale = 0.8;
  bool intercept = true;
  std::string update = "exact";
  Config() {
    common.squared_error = true;
    nodes.ridge = 1e-3;
  }
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    v(block_size,
      {.name = "block_size", .min = 1, .max = 65536, .doc = "Neurons added at a time."});
    v(max_blocks,
      {.name = "max_blocks", .min = 1, .max = 65536, .doc = "Blocks of a layer, at most."});
    v(block_threshold,
      {.name = "block_threshold",
       .min = 0,
       .max = 1,
       .doc = "Relative gain in the validation measure below which a block is dropped and its "
              "layer is complete."});
    v(block_patience,
      {.name = "block_patience",
       .min = 1,
       .max = 1000,
       .doc = "Stop after so many blocks in a row without gain; blocks after the best are "
              "dropped."});
    nodes.Visit(v);
    v(l1, {.name = "l1",
           .min = 0,
           .max = 1e9,
           .doc = "Penalty mu*||W||_1 that makes the weights of feature nodes sparse."});
    v(admm_rho, {.name = "admm_rho",
                 .min = 0,
                 .max = 1e9,
                 .doc = "Penalty parameter of ADMM for sparse weights; 0 takes the mean eigenvalue "
                        "of the problem."});
    v(admm_iterations,
      {.name = "admm_iterations", .min = 1, .max = 1000000, .doc = "Iterations of ADMM."});
    scale.Visit(v);
    v(enhancement_scale,
      {.name = "enhancement_scale",
       .min = 0,
       .max = 1000,
       .doc = "Largest sum that an enhancement node sees in training; 0 leaves random sums as they "
              "are."});
    v(intercept, {.name = "intercept", .doc = "The output layer has a bias."});
    v(update, {.name = "update",
               .choices = {"exact", "greville"},
               .doc = "How output weights follow new nodes: exact ridge regression, or the "
                      "published recursion, which is not that."});
  }
};

// One step of growth: a feature group Z_i of x and an enhancement group H_i of [Z_1 .. Z_i].
struct Group {
  Block feature, enhancement;
};

// The nodes of all steps so far with their values on the training rows and on those that choose,
// and the products that least squares needs. They do not depend on ridge: a grid shares them.
class BroadNodes {
 public:
  BroadNodes(const Problem& problem, const Config& cfg, Runtime& rt)
      : problem_(problem),
        cfg_(cfg),
        rt_(rt),
        targets_(TargetMatrix(problem, problem.train)),
        target_mean_(cfg.intercept ? ColumnMeans(targets_.view(), weights())
                                   : std::vector<double>(problem.outputs)),
        z_(problem.train.size()),
        z_val_(problem.val.size()),
        a_(problem.train.size()),
        a_val_(problem.val.size()) {}

  // A^T Q, Q^T Q and Q^T T of the new columns Q = [Z_i, H_i], all centred.
  struct Step {
    DenseMatrix cross, self, rhs;
  };
  const Step& Get(size_t i) {
    while (steps_.size() <= i) Add();
    return steps_[i];
  }
  const std::vector<Group>& groups() const { return groups_; }
  size_t width() const { return 2 * static_cast<size_t>(cfg_.block_size); }  // of Q
  // A = [Z_1, H_1, Z_2, ...] of the first steps, on the training rows or on those that choose.
  ConstView Train(size_t steps) const { return a_.First(steps * width()); }
  ConstView Choosing(size_t steps) const {
    return problem_.val.size() ? a_val_.First(steps * width()) : Train(steps);
  }
  const std::vector<double>& mean() const { return mean_; }
  Columns Targets() const { return {targets_.view(), target_mean_.data(), weights()}; }
  const std::vector<double>& target_mean() const { return target_mean_; }
  const float* weights() const { return problem_.train.Weights(); }

 private:
  void Add() {
    const auto number = static_cast<uint32_t>(steps_.size()) + 1;
    const StreamKey key{cfg_.common.seed, 1, number, 0};
    Group group;
    group.feature = FeatureGroup(key);
    const ConstView x = problem_.train.x.view(), x_val = problem_.val.x.view();
    const Mat z = BlockFeatures(group.feature, x, rt_.threads);
    const Mat z_val = BlockFeatures(group.feature, x_val, rt_.threads);
    z_.Append(z.view());
    z_val_.Append(z_val.view());
    group.enhancement = EnhancementGroup(key);
    Mat q = SideBySide(z, BlockFeatures(group.enhancement, z_.view(), rt_.threads));
    const Mat q_val =
        SideBySide(z_val, BlockFeatures(group.enhancement, z_val_.view(), rt_.threads));
    groups_.push_back(std::move(group));
    steps_.push_back(Multiply(q));
    a_.Append(q.view());
    a_val_.Append(q_val.view());
  }

  // W_e random, A = g(X~ W_e); beta = argmin 1/2 ||A beta - X~||^2 + mu ||beta||_1; W_f = beta^T,
  // with X~ = [X, 1]. A node whose code is all zero keeps its random weights.
  Block FeatureGroup(const StreamKey& key) {
    const Mat& x = problem_.train.x;
    const auto units = static_cast<size_t>(cfg_.block_size);
    Block block = RandomPerceptrons("sigmoid", x.cols(), units, cfg_.scale.Factor(x.cols()), key,
                                    Purpose::kFeatureNodes);
    const Mat a = BlockFeatures(block, x.view(), rt_.threads);
    const Columns nodes{a.view(), nullptr, weights()};
    const Mat ones = Ones(x.rows());
    const DenseMatrix gram = SelfGram(nodes, rt_.threads);
    const DenseMatrix by_x = CrossGram(nodes, {x.view(), nullptr, weights()}, rt_.threads);
    const DenseMatrix by_one = CrossGram(nodes, {ones.view(), nullptr, weights()}, rt_.threads);
    DenseMatrix rhs(units, x.cols() + 1);
    for (size_t j = 0; j < units; ++j) {
      std::copy_n(&by_x.data[j * x.cols()], x.cols(), &rhs(j, 0));
      rhs(j, x.cols()) = by_one(j, 0);
    }
    Refine(SparseCode(gram, rhs, cfg_.l1, cfg_.admm_rho, cfg_.admm_iterations), block);
    return block;
  }

  void Refine(const DenseMatrix& code, Block& block) {
    const size_t inputs = block.inputs();
    for (size_t j = 0; j < block.units(); ++j) {
      const double* row = &code.data[j * code.cols];
      if (std::all_of(row, row + code.cols, [](double v) { return v == 0; })) {
        if (!warned_)
          rt_.Warn(Join("l1 ", FormatValue(cfg_.l1),
                        " leaves feature nodes without weights; they keep their random ones"));
        warned_ = true;
        continue;
      }
      for (size_t i = 0; i < inputs; ++i) block.w.Row(i)[j] = static_cast<float>(row[i]);
      block.b.data()[j] = static_cast<float>(row[inputs]);
    }
  }

  // g(s [Z, 1] W_h), s such that no sum is larger than enhancement_scale on the training rows: a
  // thousand random terms would saturate every sigmoid.
  Block EnhancementGroup(const StreamKey& key) const {
    Block block = RandomPerceptrons("sigmoid", z_.view().cols, static_cast<size_t>(cfg_.block_size),
                                    1, key, Purpose::kEnhancementNodes);
    if (cfg_.enhancement_scale == 0) return block;
    float largest = 0;
    Mat sums(Inference::kChunk, block.units());
    const ConstView z = z_.view();
    for (size_t first = 0; first < z.rows; first += Inference::kChunk) {
      const MutView part = sums.view().Rows(0, std::min(Inference::kChunk, z.rows - first));
      MatMul(z.Rows(first, part.rows), block.w.view(), block.b.data(), part);
      for (size_t n = 0; n < part.rows; ++n)
        for (size_t j = 0; j < part.cols; ++j)
          largest = std::max(largest, std::fabs(part.Row(n)[j]));
    }
    const auto factor = static_cast<float>(cfg_.enhancement_scale / std::max(1e-12f, largest));
    for (size_t i = 0; i < block.inputs(); ++i)
      for (size_t j = 0; j < block.units(); ++j) block.w.Row(i)[j] *= factor;
    for (size_t j = 0; j < block.units(); ++j) block.b.data()[j] *= factor;
    return block;
  }

  Step Multiply(const Mat& q) {
    const std::vector<double> mean =
        cfg_.intercept ? ColumnMeans(q.view(), weights()) : std::vector<double>(q.cols());
    const Columns before{a_.view(), mean_.data(), weights()};
    const Columns fresh{q.view(), mean.data(), weights()};
    Step step{mean_.empty() ? DenseMatrix(0, q.cols()) : CrossGram(before, fresh, rt_.threads),
              SelfGram(fresh, rt_.threads), CrossGram(fresh, Targets(), rt_.threads)};
    mean_.insert(mean_.end(), mean.begin(), mean.end());
    return step;
  }

  static Mat Ones(size_t rows) {
    Mat ones(rows, 1, 1);
    std::fill_n(ones.data(), rows, 1.0f);
    return ones;
  }

  const Problem& problem_;
  const Config& cfg_;
  Runtime& rt_;
  Mat targets_;
  std::vector<double> target_mean_;
  std::vector<Group> groups_;
  std::vector<Step> steps_;
  GrowingColumns z_, z_val_;  // all feature groups
  GrowingColumns a_, a_val_;  // all groups
  std::vector<double> mean_;  // of a_
  bool warned_ = false;
};

// Output weights for the columns so far; a step proposes, and is accepted whether the network keeps
// it or not, since a later one may still improve on the best (patience).
class OutputWeights {
 public:
  OutputWeights(const Config& cfg, BroadNodes& nodes)
      : nodes_(nodes),
        exact_(cfg.nodes.ridge, nodes.target_mean().size()),
        greville_(cfg.nodes.ridge, nodes.Targets()),
        published_(cfg.update == "greville") {}

  DenseMatrix Add(size_t step) {
    const BroadNodes::Step& s = nodes_.Get(step);
    if (!published_) {
      exact_.Accept(exact_.Propose(s.cross, s.self, s.rhs));
      return exact_.Solve();
    }
    const size_t width = nodes_.width();
    const ConstView a = nodes_.Train(step + 1);
    const ConstView q{a.data + step * width, a.rows, width, a.stride};
    greville_.Add({q, nodes_.mean().data() + step * width, nodes_.weights()});
    return greville_.weights();
  }

 private:
  BroadNodes& nodes_;
  GrowingRidge exact_;
  GrevillePseudoInverse greville_;
  bool published_;
};

// Two layers: all feature nodes; then all enhancement nodes, with the features handed on.
Network Assemble(const Config& cfg, const BroadNodes& nodes, size_t steps, const DenseMatrix& w) {
  const auto k = static_cast<size_t>(cfg.block_size);
  const size_t units = steps * k, inputs = nodes.groups()[0].feature.inputs();
  Layer first{{Perceptrons("sigmoid", inputs, units)}},
      second{{Perceptrons("sigmoid", units, units)}};
  second.keeps_input = true;
  const auto place = [&](const Block& part, size_t column, Block& all) {
    for (size_t i = 0; i < part.inputs(); ++i)  // an enhancement node sees the features of its time
      std::copy_n(part.w.Row(i), k, all.w.Row(i) + column);
    std::copy_n(part.b.data(), k, all.b.data() + column);
  };
  const std::vector<double> mean(nodes.mean().begin(),
                                 nodes.mean().begin() + static_cast<std::ptrdiff_t>(w.rows));
  const OutputLayer grown = ToOutput(w, mean, nodes.target_mean());
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
  record.units = cfg.block_size * static_cast<int>(blocks.size());
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
                FormatValue(cfg.block_threshold));
  }
  return rule.perfect() ? Join("step ", steps, " is perfect by ", measure)
                        : Join("all ", steps, " steps are done");
}

Network Grow(const Problem& problem, const Config& cfg, BroadNodes& nodes, Runtime& rt) {
  const Stopwatch watch;
  StopRule rule(problem, cfg.block_threshold, cfg.block_patience, cfg.nodes.keep_last());
  OutputWeights output(cfg, nodes);
  DenseMatrix best;
  size_t best_steps = 0;
  std::vector<BlockRecord> blocks;
  for (size_t step = 0; step < static_cast<size_t>(cfg.max_blocks); ++step) {
    rt.CheckStop();
    const Stopwatch step_watch;
    DenseMatrix w = output.Add(step);
    const std::vector<double> mean(nodes.mean().begin(),
                                   nodes.mean().begin() + static_cast<std::ptrdiff_t>(w.rows));
    const Score score = ScoreOutput(problem, ChoosingRows(problem), nodes.Choosing(step + 1),
                                    ToOutput(w, mean, nodes.target_mean()));
    const bool taken = rule.Take(score);
    blocks.push_back({2 * cfg.block_size,
                      Names(nodes.groups()[step].feature.phi),
                      {{problem.metric, score.measure}},
                      1,
                      0,
                      step_watch.Seconds()});
    if (rt.observer != nullptr)
      rt.observer->OnBlock(blocks.back(), 1, static_cast<int>(step) + 1, taken);
    if (taken) {
      best = std::move(w);
      best_steps = step + 1;
    }
    if (rule.exhausted() || rule.perfect()) break;
  }
  rt.history.stopped = Reason(problem, cfg, rule, blocks.size());
  blocks.resize(best_steps);
  Network net = Assemble(cfg, nodes, best_steps, best);
  Tell(problem, cfg, net, blocks, watch.Seconds(), rt);
  return net;
}

Network Train(const Problem& problem, const Config& cfg, Runtime& rt) {
  if (cfg.nodes.grid == "none") {
    BroadNodes nodes(problem, cfg, rt);
    return Grow(problem, cfg, nodes, rt);
  }
  std::vector<std::map<std::string, double>> grid;
  for (const double l1 : PaperGrid())
    for (const double ridge : PaperGrid()) grid.push_back({{"l1", l1}, {"ridge", ridge}});
  Config setting = cfg;
  std::optional<BroadNodes> nodes;  // of one l1, for all values of ridge
  return BestOfGrid(problem, grid, rt, [&](size_t i, Runtime& trial) {
    if (!nodes || setting.l1 != grid[i].at("l1")) {
      setting.l1 = grid[i].at("l1");
      nodes.emplace(problem, setting, rt);
    }
    setting.nodes.ridge = grid[i].at("ridge");
    return Grow(problem, setting, *nodes, trial);
  });
}

}  // namespace

Algorithm Bls() {
  return MakeAlgorithm<Config, Train>(
      "bls",
      "Broad learning system: sparse features of the input and random functions of them grow side "
      "by side under a linear output.",
      "Chen & Liu 2018; arXiv:1808.06377, section 2.4");
}

}  // namespace gopnet

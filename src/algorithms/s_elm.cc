// S-ELM, stacked extreme learning machines: each layer joins new random nodes of the input with a
// reduced copy of the layer before; its output weights are found by ridge regression, and their
// principal axes reduce it for the next. Zhou et al. (2015), Algorithm 2 (with autoencoders), as
// evaluated in arXiv:1808.06377, section 4.2.
//
// A reduced copy is linear in the nodes of all layers before, so the whole stack is, exactly, one
// layer of all nodes under one linear output: that is the network this file returns.
#include "algorithms/algorithm.h"
#include "linalg/principal.h"
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
  InputScaleConfig scale;
  BlockSizeConfig blocks;
  DepthConfig depth;
  int reduced_size = 500;
  bool autoencoder = true;
  std::string pca_source = "output";
  Config() {
    common.squared_error = true;
    blocks.block_size = 500;
    depth.max_layers = 30;
  }
  template <class V>
  void Visit(V& v) {
    common.Visit(v);
    blocks.Visit(v);
    v(reduced_size, {.name = "reduced_size",
                     .min = 1,
                     .max = 65536,
                     .doc = "Axes that a layer hands on to the next, at most."});
    depth.Visit(v);
    stop.Visit(v);
    nodes.Visit(v);
    scale.Visit(v);
    v(autoencoder, {.name = "autoencoder",
                    .doc = "New nodes take the weights of an extreme learning machine that "
                           "reproduces its input; false leaves them random."});
    v(pca_source,
      {.name = "pca_source",
       .choices = {"output", "hidden"},
       .doc = "Whose principal axes reduce a layer: those of its output weights, completed by its "
              "features' (published), or of its features alone."});
  }
};

// The nodes of layer p, the same for every ridge but for the autoencoder's solution: its Gram
// matrices are made once and shared over a grid.
class NewNodes {
 public:
  NewNodes(const Problem& problem, const Config& cfg, int threads)
      : problem_(problem), cfg_(cfg), threads_(threads) {}

  // ELM-AE: W0, b random, H0 = g(X W0 + b); B = (H0^T H0 + c I)^-1 H0^T X; the nodes are (B^T, b).
  Block Layer(size_t p, double ridge) {
    const size_t inputs = problem_.train.x.cols();
    const auto units = static_cast<size_t>(cfg_.blocks.block_size);
    while (random_.size() < p) {
      const StreamKey key{cfg_.common.seed, static_cast<uint32_t>(random_.size()) + 1, 0, 0};
      random_.push_back(RandomPerceptrons("sigmoid", inputs, units, cfg_.scale.Factor(inputs), key,
                                          Purpose::kFeatureNodes));
      if (cfg_.autoencoder) codes_.push_back(Autoencoder(random_.back()));
    }
    Block nodes = random_[p - 1];
    if (!cfg_.autoencoder) return nodes;
    const DenseMatrix b = codes_[p - 1].Solve(ridge);
    for (size_t i = 0; i < inputs; ++i) {
      for (size_t j = 0; j < units; ++j) nodes.w.Row(i)[j] = static_cast<float>(b(j, i));
    }
    cfg_.scale.Shrink(problem_.train.x.view(), nodes);
    return nodes;
  }

 private:
  RidgePath Autoencoder(const Block& block) const {
    const float* weights = problem_.train.Weights();
    const Mat h = BlockFeatures(block, problem_.train.x.view(), threads_);
    const Columns hidden{h.view(), nullptr, weights};
    const Columns x{problem_.train.x.view(), nullptr, weights};
    return {SelfGram(hidden, threads_), CrossGram(hidden, x, threads_)};
  }

  const Problem& problem_;
  const Config& cfg_;
  int threads_;
  std::vector<Block> random_;
  std::vector<RidgePath> codes_;
};

// H = [g(X W + b), reduced] on the training rows; it is the nodes of all layers, in their order,
// times mix.
struct Stack {
  std::vector<Block> blocks;
  Mat h;            // N x columns
  DenseMatrix mix;  // all nodes x columns
};

// [[0, mix], [I, 0]]: new nodes come first in H and last among all nodes.
DenseMatrix WithNewNodes(const DenseMatrix& mix, size_t units) {
  DenseMatrix out(mix.rows + units, units + mix.cols);
  for (size_t i = 0; i < mix.rows; ++i)
    for (size_t j = 0; j < mix.cols; ++j) out(i, units + j) = mix(i, j);
  for (size_t j = 0; j < units; ++j) out(mix.rows + j, j) = 1;
  return out;
}

void AddNodes(const Problem& problem, Block nodes, int threads, Stack& stack) {
  stack.h = SideBySide(BlockFeatures(nodes, problem.train.x.view(), threads), stack.h);
  stack.mix = WithNewNodes(stack.mix, nodes.units());
  stack.blocks.push_back(std::move(nodes));
}

// H <- H V with the leading axes V of beta beta^T, and of the features where beta has no more.
void Reduce(const Config& cfg, const DenseMatrix& beta, const DenseMatrix& gram,
            const float* weights, Stack& stack) {
  const auto size = static_cast<size_t>(cfg.reduced_size);
  if (stack.h.cols() <= size) return;  // a rotation changes nothing
  const Columns h{stack.h.view(), nullptr, weights};
  const DenseMatrix v =
      PrincipalAxes(cfg.pca_source == "output" ? beta : DenseMatrix(), h, gram, size);
  stack.h = Product(stack.h, v);
  stack.mix = Product(stack.mix, v);
}

Network Grow(const Problem& problem, const Config& cfg, NewNodes& nodes, Runtime& rt) {
  const float* weights = problem.train.Weights();
  const Mat targets = TargetMatrix(problem, problem.train);
  Progression progression(problem, cfg.stop, cfg.depth.max_layers, rt, cfg.nodes.keep_last());
  Stack stack;
  DenseMatrix gram, beta;  // of the layer before
  for (bool go_on = true; go_on;) {
    rt.CheckStop();
    const Stopwatch watch;
    Reduce(cfg, beta, gram, weights, stack);
    const size_t p = stack.blocks.size() + 1;
    AddNodes(problem, nodes.Layer(p, cfg.nodes.ridge), rt.threads, stack);
    // beta = (H^T H + c I)^-1 H^T T
    const Columns hidden{stack.h.view(), nullptr, weights};
    gram = SelfGram(hidden, rt.threads);
    const DenseMatrix rhs = CrossGram(hidden, {targets.view(), nullptr, weights}, rt.threads);
    beta = RidgePath(gram, rhs).Solve(cfg.nodes.ridge);
    Network net;
    net.layers.emplace_back().blocks = stack.blocks;
    net.output = ToOutput(Product(stack.mix, beta), {}, {});
    LayerRecord record;
    record.units = cfg.blocks.block_size;
    record.operator_set = Names(stack.blocks[0].phi);
    const Score score = MeasureNetwork(problem, net, record);
    record.seconds = watch.Seconds();
    go_on = progression.Accept(net, score, record);
  }
  return progression.best();
}

Network Train(const Problem& problem, const Config& cfg, Runtime& rt) {
  NewNodes nodes(problem, cfg, rt.threads);
  if (cfg.nodes.grid == "none") return Grow(problem, cfg, nodes, rt);
  std::vector<std::map<std::string, double>> grid;
  for (const double ridge : PaperGrid()) grid.push_back({{"ridge", ridge}});
  return BestOfGrid(problem, grid, rt, [&](size_t i, Runtime& trial) {
    Config setting = cfg;
    setting.nodes.ridge = grid[i].at("ridge");
    return Grow(problem, setting, nodes, trial);
  });
}

}  // namespace

Algorithm SElm() {
  return MakeAlgorithm<Config, Train>(
      "s-elm",
      "Stacked extreme learning machines: random nodes, ridge "
      "regression, and principal axes from layer to layer.",
      "Zhou et al. 2015, Algorithm 2; arXiv:1808.06377, section 2.2");
}

}  // namespace gopnet

// S-ELM, stacked extreme learning machines: each layer joins new random nodes of the input with a
// reduced copy of the layer before; ridge regression finds its output weights, whose principal axes
// reduce it for the next. Zhou et al. (2015), Algorithm 2; arXiv:1808.06377, section 2.2. A reduced
// copy is linear in all nodes before it, so the stack is, exactly, one layer of all nodes.
#include "algorithms/algorithm.h"
#include "grow/grid.h"
#include "grow/growth_steps.h"
#include "grow/random_nodes.h"
#include "linalg/gemm.h"
#include "linalg/principal.h"

namespace gopnet {
namespace {

enum class PcaSource { kOutput, kHidden };
std::vector<std::string> ChoiceNames(PcaSource) { return {"output", "hidden"}; }

struct SElmConfig {
  static constexpr bool kSearchesOperators = false;
  static std::vector<std::string> GridAxes() { return {"ridge"}; }
  CommonConfig common;
  StopConfig stop;
  RandomNodesConfig nodes;
  InputScaleConfig scale;
  BlockSizeConfig blocks;
  DepthConfig depth;
  int reduced_size = 500;
  bool autoencoder = true;
  PcaSource pca_source = PcaSource::kOutput;
  SElmConfig() {
    common.loss.names = {"mse"};
    blocks.block_size = 500;
    depth.max_layers = 30;
  }
  void Visit(FieldVisitor& v) {
    common.Visit(v);
    blocks.Visit(v);
    v(reduced_size, {.name = "reduced_size",
                     .range = {1, 65536},
                     .doc = "Largest number of axes that a layer passes to the next."});
    depth.Visit(v);
    stop.Visit(v);
    nodes.Visit(v);
    scale.Visit(v);
    v(autoencoder, {.name = "autoencoder",
                    .doc = "New nodes take the weights of an extreme learning machine that "
                           "reproduces its input; false leaves them random."});
    v(pca_source,
      {.name = "pca_source",
       .doc =
           "Principal axes that reduce a layer: output uses those of its output weights, completed "
           "by those of its features (as published); hidden uses those of its features alone."});
  }
};

// The new nodes of each layer. Only the autoencoders' solutions depend on ridge: a grid of it
// shares the random weights and the products.
struct NewNodes {
  const Problem& problem;
  const SElmConfig& cfg;
  int threads;
  std::vector<Block> random = {};  // by layer
  std::vector<NormalEquations> autoencoders = {};
  // ELM-AE: W0, b random, H0 = g(X W0 + b); B = (H0^T H0 + c I)^-1 H0^T X; the nodes are (B^T, b).
  Block Layer(size_t p, double ridge) {
    if (random.size() < p) Draw(static_cast<uint32_t>(p));
    Block nodes = random[p - 1];
    if (!cfg.autoencoder) return nodes;
    const DenseMatrix b = autoencoders[p - 1].Ridge(ridge);
    for (size_t i = 0; i < nodes.inputs(); ++i)
      for (size_t j = 0; j < nodes.units(); ++j) nodes.w.Row(i)[j] = static_cast<float>(b(j, i));
    cfg.scale.Shrink(problem.train.x.view(), nodes);
    return nodes;
  }
  void Draw(uint32_t p) {
    const Mat& x = problem.train.x;
    const auto units = static_cast<size_t>(cfg.blocks.block_size);
    random.push_back(RandomPerceptrons("sigmoid", x.cols(), units, cfg.scale.Factor(x.cols()),
                                       {cfg.common.seed, p, 0, 0}, Purpose::kFeatureNodes));
    if (!cfg.autoencoder) return;
    const Mat h0 = BlockFeatures(random.back(), x.view(), threads);
    autoencoders.push_back(Normal(problem, h0, x, threads));
  }
};

// H = [g(X W + b), reduced] on the training rows; it is the nodes of all layers, in their order,
// times mix. Its output is H beta.
struct Stack {
  std::vector<Block> blocks;
  Mat h;            // N x columns
  DenseMatrix mix;  // all nodes x columns
  NormalEquations normal;
  DenseMatrix beta;
};

// H <- H V with the leading axes V of beta beta^T, and of the features where beta has no more.
void Reduce(const Problem& problem, const SElmConfig& cfg, Stack& s) {
  const auto size = static_cast<size_t>(cfg.reduced_size);
  if (s.h.cols() <= size) return;  // a rotation changes nothing
  const Columns h{s.h.view(), nullptr, problem.train.Weights()};
  const DenseMatrix axes_of = cfg.pca_source == PcaSource::kOutput ? s.beta : DenseMatrix();
  const DenseMatrix v = PrincipalAxes(axes_of, h, s.normal.gram, size);
  s.h = Product(s.h, v);
  s.mix = Times(s.mix, v);
}

// H <- [g(X W + b), H], mix <- [[0, mix], [I, 0]]: new nodes come last among all nodes.
void AddNodes(const Block& nodes, const Mat& x, int threads, Stack& s) {
  const DenseMatrix old = std::move(s.mix);
  s.mix = DenseMatrix(old.rows() + nodes.units(), nodes.units() + old.cols());
  for (size_t i = 0; i < old.rows(); ++i)
    for (size_t j = 0; j < old.cols(); ++j) s.mix(i, nodes.units() + j) = old(i, j);
  for (size_t j = 0; j < nodes.units(); ++j) s.mix(old.rows() + j, j) = 1;
  s.h = SideBySide(BlockFeatures(nodes, x.view(), threads), s.h);
  s.blocks.push_back(nodes);
}

Network Grow(const Problem& problem, const SElmConfig& cfg, NewNodes& nodes, Runtime& rt) {
  Stack s;
  LayerGrowth growth(problem, cfg.stop, cfg.depth.max_layers, rt, cfg.nodes.keep_last());
  return growth.Grow([&](LayerRecord& record) {
    Reduce(problem, cfg, s);
    AddNodes(nodes.Layer(s.blocks.size() + 1, cfg.nodes.ridge), problem.train.x, rt.threads, s);
    s.normal = Normal(problem, s.h, rt.threads);
    s.beta = s.normal.Ridge(cfg.nodes.ridge);  // (H^T H + c I)^-1 H^T T
    record.units = cfg.blocks.block_size;
    Network net{{}, ToOutput(Times(s.mix, s.beta), {}, {})};
    net.layers.emplace_back().blocks = s.blocks;
    return net;
  });
}

Network Train(const Problem& problem, const SElmConfig& cfg, Runtime& rt) {
  NewNodes nodes{problem, cfg, rt.threads};
  return TrainOnGrid(problem, cfg, rt, [&](const SElmConfig& setting, Runtime& trial) {
    return Grow(problem, setting, nodes, trial);
  });
}

// Each layer keeps its random nodes and their autoencoder.
MemoryNeed Memory(const SElmConfig& cfg, const MemoryShape& s) {
  const double nodes = cfg.blocks.block_size, layers = std::min(cfg.depth.max_layers, 3);
  const double all = nodes + (layers > 1 ? cfg.reduced_size : 0);
  return {s.features * nodes * (20 * layers + 20) + 8 * s.rows * all + 24 * all * all +
              24 * all * s.outputs + 4 * s.rows * s.outputs + TargetBytes(cfg.common, s),
          4 * nodes * layers * (s.features + s.outputs)};
}

}  // namespace

Algorithm SElm() {
  return MakeAlgorithm<SElmConfig, Train, Memory>(
      "s-elm",
      "Stacked extreme learning machines: random nodes, ridge "
      "regression, and principal axes from layer to layer.",
      "Zhou et al. 2015, Algorithm 2; arXiv:1808.06377, section 2.2");
}

}  // namespace gopnet

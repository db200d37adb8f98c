// Random blocks with ridge outputs: compares the bordered update with one solve over all columns,
// and the statistics of the solver with those of the network.
#include "grow/block_layer.h"

#include <gtest/gtest.h>

#include "support/toy_problem.h"

namespace gopnet {
namespace {

// Features [H_1, ..., H_j] of blocks as the network computes them.
Mat Features(const std::vector<Block>& blocks, ConstView x) { return LayerFeatures({blocks}, x); }

// The largest entry of (H^T H + c I) W - H^T T over centred columns, relative to H^T T.
double NormalResidual(const Problem& problem, const Mat& h, const OutputLayer& output, double c) {
  const Mat targets = TargetMatrix(problem, problem.train);
  const float* weights = problem.train.Weights();
  const auto mean = ColumnMeans(h.view(), weights), t_mean = ColumnMeans(targets.view(), weights);
  const Columns columns{h.view(), mean.data(), weights};
  const DenseMatrix gram = SelfGram(columns, 1);
  const DenseMatrix rhs = CrossGram(columns, {targets.view(), t_mean.data(), weights}, 1);
  double worst = 0, scale = 0;
  for (size_t i = 0; i < rhs.rows(); ++i) {
    for (size_t k = 0; k < rhs.cols(); ++k) {
      double sum = c * static_cast<double>(output.w.Row(i)[k]) - rhs(i, k);
      for (size_t j = 0; j < gram.cols(); ++j)
        sum += gram(i, j) * static_cast<double>(output.w.Row(j)[k]);
      worst = std::max(worst, std::abs(sum));
      scale = std::max(scale, std::abs(rhs(i, k)));
    }
  }
  return worst / scale;
}

// w has the rows of the new block first; this puts them in the order of the blocks.
OutputLayer InOrder(const LayerProposal& p) {
  OutputLayer out = p.output;
  const size_t fresh = p.block.units(), old = out.w.rows() - fresh;
  for (size_t i = 0; i < out.w.rows(); ++i)
    std::copy_n(p.output.w.Row(i < old ? fresh + i : i - old), out.w.cols(), out.w.Row(i));
  return out;
}

struct Case {
  Problem problem;
  Runtime rt;
  BlockLayerConfig config;
  explicit Case(size_t rows) : problem(testing::ToyProblem(rows, 9, 3)) {
    config.blocks.block_size = 6;
    config.random.ridge = 0.4;
  }
};

TEST(BlockLayer, EveryBlockGetsTheRidgeSolutionOverAllBlocks) {
  for (const bool weighted : {false, true}) {
    Case c(90);
    if (weighted) {
      for (size_t n = 0; n < 90; ++n) c.problem.train.weights.push_back(n % 3 == 0 ? 2.0f : 0.5f);
    }
    GrowingNetwork net(c.problem, {}, 3, c.rt);
    BlockLayer layer(net, c.problem, c.config, 1, c.rt);
    LayerWorkspace work;
    std::vector<Block> blocks;
    const std::vector<OperatorSet> sets = {{0, 0, 1}, {2, 1, 0}, {4, 3, 1}};
    for (const OperatorSet& phi : sets) {
      const LayerProposal p = layer.Solve(phi, 0, work);
      ASSERT_TRUE(p.score.valid);
      blocks.push_back(p.block);
      const Mat h = Features(blocks, c.problem.train.x.view());
      EXPECT_LT(NormalResidual(c.problem, h, InOrder(p), 0.4), 1e-5);
      LayerProposal best = p;
      best.score.measure = static_cast<double>(blocks.size());  // always accepted
      layer.Accept(best, {});
    }
    EXPECT_EQ(layer.size(), 3u);
  }
}

// A feature of variance 1e-6: if the solver and the network used different eps, their scales would
// differ by a factor of about 30.
TEST(BlockLayer, SolverAndNetworkShareTheBatchStatistics) {
  Case c(80);
  for (Rows* rows : {&c.problem.train, &c.problem.val}) {
    for (size_t n = 0; n < rows->size(); ++n)
      for (size_t j = 0; j < 9; ++j) rows->x.Row(n)[j] *= 1e-3f;
  }
  c.config.random.random_range = 0.3;
  GrowingNetwork net(c.problem, {}, 3, c.rt);
  BlockLayer layer(net, c.problem, c.config, 1, c.rt);
  LayerWorkspace work;
  const LayerProposal p = layer.Solve({0, 0, 1}, 0, work);
  for (size_t j = 0; j < 6; ++j) EXPECT_LT(p.block.variance.data()[j], 1e-5f);
  const Mat h = Features({p.block}, c.problem.train.x.view());
  EXPECT_LT(NormalResidual(c.problem, h, p.output, 0.4), 1e-5);
}

TEST(BlockLayer, TheLayerScoresWhatItsNetworkScores) {
  Case c(90);
  GrowingNetwork net(c.problem, {}, 3, c.rt);
  BlockLayer layer(net, c.problem, c.config, 1, c.rt);
  LayerWorkspace work;
  for (int j = 0; j < 2; ++j) {
    LayerProposal p = layer.Solve({j, 0, 1}, 0, work);
    layer.FitLogitScale(p, work);
    p.score.measure = j;
    layer.Accept(p, {});
  }
  const Proposal proposal = *layer.Finish();
  const Network whole{{proposal.layer}, proposal.output};
  MetricSums sums(c.problem, c.problem.val);
  Inference().Run(whole, c.problem.val.x.view(), [&](size_t i, MutView o) { sums.Add(i, o); });
  EXPECT_EQ(sums.Measure(), proposal.score.measure);
  EXPECT_EQ(sums.Loss(), proposal.score.loss);
}

// Ridge outputs as logits are nearly uniform; scaled, their cross-entropy is smaller.
TEST(BlockLayer, TheLogitScaleLowersTheTrainingLoss) {
  Case c(90);
  GrowingNetwork net(c.problem, {}, 3, c.rt);
  BlockLayer layer(net, c.problem, c.config, 1, c.rt);
  LayerWorkspace work;
  LayerProposal p = layer.Solve({0, 0, 1}, 0, work);
  const auto loss = [&](const LayerProposal& q) {
    MetricSums sums(c.problem, c.problem.train);
    EvaluateInto(q.block, q.output, c.problem.train.x.view(), {}, work, sums);
    return sums.Loss();
  };
  const double before = loss(p);
  layer.FitLogitScale(p, work);
  EXPECT_LT(loss(p), 0.9 * before);
}

}  // namespace
}  // namespace gopnet

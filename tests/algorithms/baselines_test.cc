// BLS, S-ELM and PLN against their formulas in double, with the weights of the models.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "algorithms/registry.h"
#include "model/model_impl.h"
#include "run/prepare.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using Eigen::MatrixXd;
using testing::Data;
using testing::MakeArrays;

// Collects warnings.
class Warnings : public Observer {
 public:
  void OnWarning(const std::string& message) override { all += message + "\n"; }
  std::string all;
};

MatrixXd ToEigen(const Mat& m) {
  MatrixXd out(m.rows(), m.cols());
  for (size_t i = 0; i < m.rows(); ++i)
    for (size_t j = 0; j < m.cols(); ++j)
      out(static_cast<long>(i), static_cast<long>(j)) = static_cast<double>(m.Row(i)[j]);
  return out;
}

MatrixXd Sigmoid(const MatrixXd& x) { return (1 + (-x.array()).exp()).inverse().matrix(); }

MatrixXd Nodes(const Block& block, const MatrixXd& x) {
  return Sigmoid((x * ToEigen(block.w)).rowwise() + ToEigen(block.b).row(0));
}

MatrixXd Ridge(const MatrixXd& h, const MatrixXd& t, double c) {
  const MatrixXd k = h.transpose() * h + c * MatrixXd::Identity(h.cols(), h.cols());
  return k.ldlt().solve(h.transpose() * t);
}

// The training rows as the algorithm saw them, and its model.
struct Trained {
  MatrixXd x, t;
  ModelData model;
  History history;
};

Trained TrainOn(const std::string& algorithm, const Params& params, Task task, size_t rows = 120) {
  const testing::Arrays a = MakeArrays(rows, 1);
  Runtime rt;
  const Algorithm& found = FindAlgorithm(algorithm);
  const Prepared p = Prepare(found, ResolveValues(found, params.values()), Data(a, task), rt);
  const TrainResult r = Train(algorithm, Data(a, task), params);
  return {ToEigen(p.problem.train.x), ToEigen(p.problem.train.targets), r.model.impl().data,
          r.history};
}

TEST(Bls, OutputIsTheRidgeSolutionOverAllItsNodes) {
  for (const Task task : {Task::kClassification, Task::kRegression}) {
    const Trained r = TrainOn("bls",
                              Params()
                                  .Set("block_size", 5)
                                  .Set("max_blocks", 6)
                                  .Set("block_threshold", 0)
                                  .Set("ridge", 0.5),
                              task);
    const Network& net = r.model.network();
    const MatrixXd z = Nodes(net.layers[0].blocks[0], r.x);
    MatrixXd a(z.rows(), 2 * z.cols());
    a << Nodes(net.layers[1].blocks[0], z), z;
    const Eigen::RowVectorXd mean = a.colwise().mean(), t_mean = r.t.colwise().mean();
    const MatrixXd w = Ridge(a.rowwise() - mean, r.t.rowwise() - t_mean, 0.5);
    const double scale = w.cwiseAbs().maxCoeff();
    EXPECT_LT((w - ToEigen(net.output.w)).cwiseAbs().maxCoeff(), 1e-4 * scale);
    const MatrixXd bias = t_mean - mean * w;
    EXPECT_LT((bias - ToEigen(net.output.b)).cwiseAbs().maxCoeff(), 1e-4 * scale);
  }
}

// An enhancement node sees the feature groups of its step and those before.
TEST(Bls, EnhancementNodesSeeNoLaterFeatures) {
  const Trained r =
      TrainOn("bls", Params().Set("block_size", 4).Set("max_blocks", 3).Set("block_patience", 3),
              Task::kClassification);
  const Block& enhancement = r.model.network().layers[1].blocks[0];
  for (size_t i = 0; i < enhancement.inputs(); ++i) {
    for (size_t j = 0; j < enhancement.units(); ++j)
      EXPECT_EQ(enhancement.w.Row(i)[j] == 0, i / 4 > j / 4) << i << " " << j;
  }
}

TEST(Bls, NodesWithoutSparseWeightsKeepTheirRandomOnes) {
  const testing::Arrays a = MakeArrays(100, 2);
  Warnings warnings;
  const Model model = Train("bls", Data(a), Params().Set("l1", 1e8).Set("max_blocks", 2),
                            {.run_folder = {}, .observer = &warnings})
                          .model;
  EXPECT_NE(warnings.all.find("random"), std::string::npos);
  const Mat& w = model.impl().data.network().layers[0].blocks[0].w;
  for (size_t j = 0; j < w.cols(); ++j) EXPECT_NE(w.Row(0)[j], 0.0f);
}

TEST(Bls, PublishedUpdateIsNotRidgeRegression) {
  const auto weights = [](const char* update) {
    Params p = Params().Set("update", update).Set("ridge", 0.1).Set("max_blocks", 3);
    p.Set("block_threshold", 1).Set("block_patience", 2).Set("on_stop", "keep");  // all three
    return ToEigen(TrainOn("bls", p, Task::kRegression).model.network().output.w);
  };
  const MatrixXd exact = weights("exact"), published = weights("greville");
  ASSERT_TRUE(published.allFinite());
  ASSERT_EQ(exact.rows(), 120);
  EXPECT_FALSE(exact.isApprox(published, 1e-3));
}

// The stack of the paper, layer by layer in double, must agree with the single layer of the model.
TEST(SElm, OneLayerSaysWhatTheStackSays) {
  for (const Task task : {Task::kClassification, Task::kRegression}) {
    const Trained r = TrainOn("s-elm",
                              Params()
                                  .Set("block_size", 12)
                                  .Set("reduced_size", 9)
                                  .Set("max_layers", 4)
                                  .Set("layer_threshold", 1)  // none gains so much, and
                                  .Set("patience", 3)         // the one that ends growth stays:
                                  .Set("on_stop", "keep")     // all four layers
                                  .Set("ridge", 0.3),
                              task);
    const Network& net = r.model.network();
    MatrixXd h, out;
    for (const Block& block : net.layers[0].blocks) {
      const MatrixXd fresh = Nodes(block, r.x);
      MatrixXd joined = fresh;
      if (h.cols() > 0) {
        joined.resize(fresh.rows(), fresh.cols() + h.cols());
        joined << fresh, h;
      }
      const MatrixXd beta = Ridge(joined, r.t, 0.3);
      out = joined * beta;
      // axes of beta, then of what H has outside them: by a singular value decomposition and an
      // eigenproblem of the projected Gram matrix, not as the program does it
      const Eigen::JacobiSVD<MatrixXd> svd(beta, Eigen::ComputeThinU);
      const MatrixXd u = svd.matrixU().leftCols(svd.rank());
      const MatrixXd outside = MatrixXd::Identity(beta.rows(), beta.rows()) - u * u.transpose();
      const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(outside * joined.transpose() * joined *
                                                          outside);
      MatrixXd v(beta.rows(), 9);
      v << u, eigen.eigenvectors().rightCols(9 - u.cols());
      h = joined * v;
    }
    ASSERT_EQ(net.layers[0].blocks.size(), 4u);
    MatrixXd nodes(r.x.rows(), 0);
    for (const Block& block : net.layers[0].blocks) {
      const MatrixXd fresh = Nodes(block, r.x);
      nodes.conservativeResize(Eigen::NoChange, nodes.cols() + fresh.cols());
      nodes.rightCols(fresh.cols()) = fresh;
    }
    const MatrixXd ours = (nodes * ToEigen(net.output.w)).rowwise() + ToEigen(net.output.b).row(0);
    EXPECT_LT((ours - out).cwiseAbs().maxCoeff(), 2e-4);
  }
}

TEST(Pln, TrainingCostNeverRisesAndTheBoundIsMet) {
  for (const Task task : {Task::kClassification, Task::kRegression}) {
    const Trained r = TrainOn("pln",
                              Params()
                                  .Set("norm_bound", 1)
                                  .Set("block_size", 6)
                                  .Set("max_blocks", 2)
                                  .Set("max_layers", 5)
                                  .Set("layer_threshold", 1)
                                  .Set("patience", 4)
                                  .Set("on_stop", "keep"),  // all five layers
                              task);
    ASSERT_EQ(r.history.layers.size(), 5u);
    for (size_t k = 1; k < r.history.layers.size(); ++k)
      EXPECT_LE(r.history.layers[k].train.at("loss"),
                r.history.layers[k - 1].train.at("loss") * (1 + 1e-5));
    const double bound = 2.0 * static_cast<double>(r.t.cols());
    EXPECT_LE(ToEigen(r.model.network().output.w).squaredNorm(), bound * (1 + 1e-6));
  }
}

// max(0, t) - max(0, -t) = t: each layer could repeat the prediction of the one before.
TEST(Pln, FlowIsLossless) {
  const Trained r =
      TrainOn("pln", Params().Set("max_layers", 2).Set("layer_threshold", 0).Set("patience", 2),
              Task::kRegression);
  const Block& flow = r.model.network().layers.back().blocks[0];
  const size_t q = flow.units() / 2;
  for (size_t i = 0; i < flow.inputs(); ++i)
    for (size_t c = 0; c < q; ++c) EXPECT_EQ(flow.w.Row(i)[c], -flow.w.Row(i)[q + c]);
  EXPECT_EQ(flow.norm, Norm::kNone);
  EXPECT_EQ(r.model.network().layers.back().blocks[1].norm, Norm::kRow);
}

TEST(Pln, ABoundBelowOneIsAllowedWithAWarning) {
  Warnings warnings;
  EXPECT_NO_THROW(Train("pln", Data(MakeArrays(80, 3)), Params().Set("norm_bound", 0.1),
                        {.run_folder = {}, .observer = &warnings}));
  EXPECT_NE(warnings.all.find("norm_bound"), std::string::npos);
}

TEST(Pln, AdmmComesCloseToTheExactSolution) {
  const auto loss = [](const char* solver) {
    Params p = Params().Set("solver", solver).Set("max_layers", 1).Set("max_blocks", 1);
    return TrainOn("pln", p, Task::kClassification).history.layers[0].train.at("loss");
  };
  EXPECT_NEAR(loss("admm"), loss("exact"), 1e-3);
}

// A grid chooses on validation rows and records its choice; training with this choice alone yields
// the same model.
TEST(Grid, ChoosesTheBestOnValidationAndTellsIt) {
  const testing::Arrays a = MakeArrays(120, 5);
  for (const char* name : {"bls", "s-elm", "pln"}) {
    Params p;
    p.Set("block_size", 6).Set(std::string(name) == "bls" ? "max_blocks" : "max_layers", 2);
    const TrainResult grid = Train(name, Data(a), Params(p).Set("grid", "paper"));
    ASSERT_FALSE(grid.history.chosen.empty());
    Params chosen = p;
    for (const auto& [key, value] : grid.history.chosen) chosen.Set(key, value);
    const TrainResult alone = Train(name, Data(a), chosen);
    EXPECT_EQ(grid.history.metrics, alone.history.metrics) << name;
    for (const char* ridge : {"0.001", "1", "1000"}) {
      const History other = Train(name, Data(a), Params(p).Set("ridge", ridge)).history;
      EXPECT_GE(grid.history.metrics.at("val").at("accuracy"),
                other.metrics.at("val").at("accuracy"));
    }
  }
}

TEST(Grid, NeedsValidationRows) {
  try {
    Train("bls", Data(MakeArrays(60, 6)), Params().Set("grid", "paper").Set("val_split", 0));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("validation rows"), std::string::npos);
  }
}

}  // namespace
}  // namespace gopnet

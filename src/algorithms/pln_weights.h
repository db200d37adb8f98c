// The output weights of a layer of PLN: least squares of bounded norm.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grow/random_nodes.h"
#include "linalg/bounded.h"

namespace gopnet {

enum class PlnSolver { kExact, kAdmm };
inline std::vector<std::string> ChoiceNames(PlnSolver) { return {"exact", "admm"}; }

struct PlnWeightsConfig {
  std::optional<double> norm_bound;
  PlnSolver solver = PlnSolver::kExact;
  double admm_mu = 1;
  AdmmConfig admm;
  void Visit(FieldVisitor& v) {
    v(norm_bound,
      {.name = "norm_bound",
       .range = {0, 1e9},
       .doc = "Bound on the output weights O of a layer: ||O||^2 <= norm_bound * 2 * "
              "outputs. none means 2, or 1 for regression. Below 1 the loss may rise."});
    v(solver, {.name = "solver",
               .doc = "Solver for bounded output weights: exact, or the published ADMM."});
    v(admm_mu, {.name = "admm_mu",
                .range = {1e-9, 1e9},
                .doc = "Penalty parameter of ADMM for output weights."});
    admm.Visit(v);
  }
};

// What settings of a grid have in common is computed once: X^T X for every ridge; and, for one
// ridge and every bound, Y_1^T Y_1, since no bound has touched the first layer yet.
class PlnWeights {
 public:
  // reuse: settings of a grid follow each other.
  PlnWeights(const Problem& problem, bool reuse, int threads)
      : problem_(problem), reuse_(reuse), threads_(threads) {}
  // O_0 = (X^T X + c I)^-1 X^T T
  DenseMatrix OfInput(double ridge) {
    if (!input_) input_ = Normal(problem_, problem_.train.x, threads_);
    if (ridge_ != ridge) first_.clear();
    ridge_ = ridge;
    return input_->Ridge(ridge);
  }
  // O_l = argmin ||T - Y_l O||^2 with ||O||^2 <= norm_bound * 2 outputs, Y_l of so many blocks
  DenseMatrix OfLayer(int layer, int blocks, const Mat& y, const PlnWeightsConfig& config) {
    if (layer > 1 || !reuse_) return Bounded(Normal(problem_, y, threads_), config);
    const auto [known, is_new] = first_.try_emplace(blocks);
    if (is_new) known->second = Normal(problem_, y, threads_);
    return Bounded(known->second, config);
  }

 private:
  DenseMatrix Bounded(const NormalEquations& normal, const PlnWeightsConfig& config) const {
    const double alpha = config.norm_bound.value_or(problem_.task == Task::kClassification ? 2 : 1);
    const double bound = alpha * 2 * static_cast<double>(problem_.outputs);
    if (config.solver == PlnSolver::kExact) return SolveBounded(normal.gram, normal.rhs, bound);
    return SolveBoundedAdmm(normal.gram, normal.rhs, bound, config.admm_mu,
                            config.admm.admm_iterations);
  }

  const Problem& problem_;
  bool reuse_;
  int threads_;
  std::optional<NormalEquations> input_;
  double ridge_ = -1;                     // on which first_ depends
  std::map<int, NormalEquations> first_;  // of the first layer, by its blocks
};

}  // namespace gopnet

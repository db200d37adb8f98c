// The nodes of BLS: in each step a group of features Z_i, sparse codes of the input, and a group of
// enhancement nodes H_i, random functions of [Z_1 .. Z_i] (Chen & Liu 2018). Their values and the
// products that least squares needs are kept; they do not depend on ridge, so that a grid of it
// shares them.
#pragma once

#include "grow/random_nodes.h"
#include "train/runtime.h"

namespace gopnet {

struct BlsNodesConfig {
  double l1 = 1e-3;
  double admm_rho = 0;
  AdmmConfig admm;
  InputScaleConfig scale;
  double enhancement_scale = 0.8;
  bool intercept = true;
  void Visit(FieldVisitor& v) {
    v(l1, {.name = "l1",
           .range = {0, 1e9},
           .doc = "Penalty mu*||W||_1 that makes the weights of feature nodes sparse."});
    v(admm_rho, {.name = "admm_rho",
                 .range = {0, 1e9},
                 .doc = "Penalty parameter of ADMM for sparse weights; 0 uses the geometric "
                        "mean of the problem's eigenvalues."});
    admm.Visit(v);
    scale.Visit(v);
    v(enhancement_scale,
      {.name = "enhancement_scale",
       .range = {0, 1000},
       .doc =
           "Largest input of an enhancement node in training; 0 does not scale the random sums."});
    v(intercept, {.name = "intercept", .doc = "The output layer has a bias."});
  }
};

class BlsNodes {
 public:
  BlsNodes(const Problem& problem, const BlsNodesConfig& config, int group_size, uint64_t seed,
           Runtime& rt);

  struct Group {
    Block feature, enhancement;
  };
  // A^T Q, Q^T Q and Q^T T of the new columns Q = [Z_i, H_i], all centred.
  struct Step {
    DenseMatrix cross, self, rhs;
  };
  // Of step i, counted from 1.
  const Step& Get(size_t i) {
    while (steps_.size() < i) Add();
    return steps_[i - 1];
  }
  const std::vector<Group>& groups() const { return groups_; }
  size_t width() const { return 2 * group_size_; }  // of Q
  // A = [Z_1, H_1, Z_2, ...] of the first steps.
  ConstView Train(size_t steps) const { return First(a_, steps); }
  ConstView Val(size_t steps) const { return First(a_val_, steps); }
  std::vector<double> Mean(size_t steps) const;  // of the columns of A
  Columns Targets() const { return {targets_.view(), target_mean_.data(), weights()}; }
  const std::vector<double>& target_mean() const { return target_mean_; }
  const float* weights() const { return problem_.train.Weights(); }
  double l1() const { return config_.l1; }

 private:
  ConstView First(const Mat& a, size_t steps) const {
    return a.view().Part(0, 0, a.rows(), steps * width());
  }
  void Add();
  Block FeatureGroup(const StreamKey& key);
  void Refine(const DenseMatrix& code, Block& block);
  Block EnhancementGroup(const StreamKey& key) const;
  Step Multiply(const Mat& q);

  const Problem& problem_;
  BlsNodesConfig config_;
  size_t group_size_;
  uint64_t seed_;
  Runtime& rt_;
  Mat targets_;
  std::vector<double> target_mean_;
  std::vector<Group> groups_;
  std::vector<Step> steps_;
  Mat z_, z_val_;             // all feature groups
  Mat a_, a_val_;             // all groups
  std::vector<double> mean_;  // of a_
  bool warned_ = false;
};

}  // namespace gopnet

// What the networks of random nodes share (BLS, S-ELM, PLN): random perceptrons, and linear outputs
// found by least squares.
#pragma once

#include "base/rng.h"
#include "linalg/gram.h"
#include "nn/metric.h"
#include "nn/network.h"
#include "train/config.h"

namespace gopnet {

enum class OnStop { kDiscard, kKeep };
inline std::vector<std::string> ChoiceNames(OnStop) { return {"discard", "keep"}; }
enum class GridChoice { kNone, kPaper };
inline std::vector<std::string> ChoiceNames(GridChoice) { return {"none", "paper"}; }

// Parameters that all three have.
struct RandomNodesConfig : RidgeConfig {
  OnStop on_stop = OnStop::kDiscard;
  GridChoice grid = GridChoice::kNone;
  void Visit(FieldVisitor& v) {
    RidgeConfig::Visit(v);
    v(on_stop,
      {.name = "on_stop",
       .doc = "Whether to keep or drop the last nodes, which did not improve the network."});
    v(grid, {.name = "grid",
             .doc = "paper tries 0.001, 0.01, ... 1000 for ridge and the algorithm's other "
                    "penalties and keeps the best on validation."});
  }
  bool keep_last() const { return on_stop == OnStop::kKeep; }
  bool has_grid() const { return grid != GridChoice::kNone; }
};

enum class InScale { kAuto, kNone };
inline std::vector<std::string> ChoiceNames(InScale) { return {"auto", "none"}; }

// Keeps the sums of many inputs small: a sigmoid of a large sum hardly has a slope.
struct InputScaleConfig {
  InScale in_scale = InScale::kAuto;
  void Visit(FieldVisitor& v) {
    v(in_scale,
      {.name = "in_scale",
       .doc = "auto divides random weights by the square root of the number of inputs. It scales "
              "weights learned from them so that sums have a standard deviation of at most "
              "1.5. none leaves both as published."});
  }
  double Factor(size_t inputs) const;  // of random weights
  // Shrinks the weights of a block if its sums over x have a larger standard deviation, by the
  // median of its nodes.
  void Shrink(ConstView x, Block& block) const;
};

// f(x w + b): `units` perceptrons with weights and biases uniform in [-scale, scale].
Block RandomPerceptrons(const char* activation, size_t inputs, size_t units, double scale,
                        const StreamKey& key, Purpose purpose);
Block Perceptrons(const char* activation, size_t inputs, size_t units, Norm norm = Norm::kNone);

void ScaleWeights(double factor, Block& block);  // and biases

// Columns [a, b], rows without padding; either may be empty.
Mat SideBySide(const Mat& a, const Mat& b);

// H^T H and H^T T on the training rows: what least squares needs if nothing is centred.
struct NormalEquations {
  DenseMatrix gram, rhs;
  DenseMatrix Ridge(double c) const;  // (H^T H + c I)^-1 H^T T
};
NormalEquations Normal(const Problem& problem, const Mat& h, const Mat& t, int threads);
NormalEquations Normal(const Problem& problem, const Mat& h, int threads);  // T: the targets

// y = (h - mean) w + target_mean as weights w (n x C) and a bias. An empty mean is 0.
OutputLayer ToOutput(const DenseMatrix& w, const std::vector<double>& mean,
                     const std::vector<double>& target_mean);

// The score of a linear output on the features of the validation rows, or of the training rows if
// there are none.
Score ScoreOutput(const Problem& problem, ConstView train, ConstView val,
                  const OutputLayer& output);

}  // namespace gopnet

// What the networks of random nodes share (BLS, S-ELM, PLN): random perceptrons, and linear outputs
// found by least squares.
#pragma once

#include "base/rng.h"
#include "linalg/gram.h"
#include "nn/progression.h"

namespace gopnet {

// Parameters that all three have.
struct RandomNodesConfig : RidgeConfig {
  std::string on_stop = "discard";
  std::string grid = "none";
  template <class V>
  void Visit(V& v) {
    RidgeConfig::Visit(v);
    v(on_stop, {.name = "on_stop",
                .choices = {"discard", "keep"},
                .doc = "What becomes of the last nodes, which did not improve the network."});
    v(grid, {.name = "grid",
             .choices = {"none", "paper"},
             .doc = "paper tries 0.001, 0.01, ... 1000 for ridge and the algorithm's other "
                    "penalties, and keeps the best on validation."});
  }
  bool keep_last() const { return on_stop == "keep"; }
};

// Keeps sigmoids of many inputs where they have slope.
struct InputScaleConfig {
  std::string in_scale = "auto";
  template <class V>
  void Visit(V& v) {
    v(in_scale, {.name = "in_scale",
                 .choices = {"auto", "none"},
                 .doc = "auto divides random weights by the square root of the number of inputs, "
                        "and weights learned from them so that sums have a standard deviation of "
                        "at most 1.5; none leaves both as published."});
  }
  double Factor(size_t inputs) const;  // of random weights
  // Shrinks a block whose sums over x, a median over its nodes, spread more.
  void Shrink(ConstView x, Block& block) const;
};

// f(x w + b): `units` perceptrons with weights and biases uniform in [-scale, scale].
Block RandomPerceptrons(const char* activation, size_t inputs, size_t units, double scale,
                        const StreamKey& key, Purpose purpose);
Block Perceptrons(const char* activation, size_t inputs, size_t units, Norm norm = Norm::kNone);

void ScaleWeights(double factor, Block& block);  // and biases

// F(x) of all rows on several threads, without padding.
Mat BlockFeatures(const Block& block, ConstView x, int threads);
// Columns [a, b], rows without padding; either may be empty.
Mat SideBySide(const Mat& a, const Mat& b);

// N rows whose columns come block by block; room doubles when it is full.
class GrowingColumns {
 public:
  explicit GrowingColumns(size_t rows) : rows_(rows) {}
  void Append(ConstView block);
  ConstView view() const { return First(cols_); }
  ConstView First(size_t cols) const { return {room_.data(), rows_, cols, room_.stride()}; }

 private:
  size_t rows_;
  size_t cols_ = 0;
  Mat room_;
};

// w (n x C) and what it leaves of the means: y = (h - mean) w + target_mean. Means may be empty: 0.
OutputLayer ToOutput(const DenseMatrix& w, const std::vector<double>& mean,
                     const std::vector<double>& target_mean);

// The score of a linear output on features of the rows that choose: validation, or training.
Score ScoreOutput(const Problem& problem, const Rows& rows, ConstView features,
                  const OutputLayer& output);
inline const Rows& ChoosingRows(const Problem& problem) {
  return problem.val.size() ? problem.val : problem.train;
}
Score ScoreOf(const Problem& problem, const Metrics& metrics);
// Metrics of a finished network, into the record of its last layer.
Score MeasureNetwork(const Problem& problem, const Network& net, LayerRecord& record);

}  // namespace gopnet

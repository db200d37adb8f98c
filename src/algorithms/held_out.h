// The rows that each of several networks does not learn from, and what its outputs for them say.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/network.h"
#include "nn/problem.h"

namespace gopnet {

// How the rows of a problem are held out for validation, each in turn.
struct Folds {
  std::vector<uint8_t> of_row;  // of the training rows; empty: Problem::val holds the rows to
                                // validate on
  int count = 0;
  bool every = false;  // each operator set is trained on every fold, else on one of them
};

// The same problem on other rows.
Problem OnRows(const Problem& problem, Rows train, Rows val);
// The problem with one fold to validate on and the others to train on.
Problem FoldProblem(const Problem& problem, const Folds& folds, int fold);

class HeldOutOutputs {
 public:
  // fold_of: of each network the fold that validates it; -1: the validation rows of the problem.
  HeldOutOutputs(const Problem& problem, const Folds& folds, std::vector<int> fold_of);
  // Network i on the rows that it did not learn from.
  void Measure(size_t i, const Network& net);

  // How much each of these networks counts. Where all have validated on the same rows, or each
  // operator set on all rows by its folds, and these are enough, what makes the best average of
  // them; else all alike but those whose own error is far above the usual.
  std::vector<double> Weights(const std::vector<size_t>& networks,
                              const std::vector<double>& errors) const;

  // The rows that some of these networks did not learn from, by their numbers, and the average
  // outputs of those.
  std::vector<size_t> Average(const std::vector<size_t>& networks,
                              const std::vector<double>& weights, Mat& outputs) const;

  // How many times greater the temperature of the average of all these networks is than
  // `of_average`, that of Average: the more of them are averaged, the less sure the average is of
  // itself, and the more right.
  double TemperatureGain(const std::vector<size_t>& networks, const std::vector<double>& weights,
                         double of_average) const;
  const Rows& rows() const { return folds_.count > 0 ? problem_.train : problem_.val; }

 private:
  bool HeldOut(size_t i, size_t row) const {
    return fold_of_[i] < 0 || folds_.of_row[row] == fold_of_[i];
  }
  // Networks of one operator set that hold out different rows share a matrix.
  size_t Group(size_t i) const { return folds_.every ? i / static_cast<size_t>(folds_.count) : i; }
  std::vector<double> GreedyWeightsOf(const std::vector<size_t>& networks) const;
  double SecondBestFold(const std::vector<size_t>& networks,
                        const std::vector<double>& errors) const;
  double TemperatureAlone(const std::vector<size_t>& networks,
                          const std::vector<double>& weights) const;

  const Problem& problem_;
  const Folds& folds_;
  std::vector<int> fold_of_;
  std::vector<Mat> outputs_;  // by group: probabilities or values
};

}  // namespace gopnet

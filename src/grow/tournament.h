// Chooses the best of n candidates that can be trained to any epoch: all to the end (one rung), or
// successive halving (several rungs, the best third goes on). The winner does not depend on the
// number of threads or ranks or on which candidate finishes first: a rung is ranked when it is
// complete, and ties go to the lower index.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "nn/metric.h"

namespace gopnet {

// Whether a is better than b; of equals, the one of lower index. A diverged one loses to all.
bool Beats(const Score& a, size_t index_a, const Score& b, size_t index_b, double direction);

struct TournamentOptions {
  std::vector<int> rungs;  // epochs at which candidates are compared; the last is the full budget
  double direction = 1;    // -1: smaller measures are better
  std::vector<double> costs;  // expected cost of each candidate: the heaviest start first
};

// Trains the candidates, in this order, to so many epochs, on whatever threads or machines, and
// calls done(candidate, score) once for each, from any thread.
using TrainRung = std::function<void(const std::vector<size_t>& order, int epochs,
                                     const std::function<void(size_t, const Score&)>& done)>;

// finish(candidate) is called, one at a time, for candidates that drop out or lose, so that their
// memory can go. Returns the winner, or n if all are invalid.
size_t Tournament(const TournamentOptions& options, const TrainRung& train,
                  const std::function<void(size_t)>& finish);

constexpr int kEta = 3;  // ceil(n / eta) of n candidates go on from each rung

// {epochs}, or for halving 1/27, 1/9, 1/3 and all of the epochs: 11, 33, 99, 300 of 300.
std::vector<int> Rungs(bool halving, int epochs);

// How many candidates each rung starts with if none ties or diverges.
std::vector<int> FieldSizes(int candidates, size_t rungs);

}  // namespace gopnet

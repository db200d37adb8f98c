// Chooses the best of n candidates that can be trained to any epoch: all to the end (one rung), or
// successive halving (several rungs, the best third goes on). The winner does not depend on the
// number of threads or ranks or on which candidate finishes first: a rung is ranked when it is
// complete, and ties go to the lower index.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace gopnet {

// How good a candidate is; larger first, then smaller loss. An invalid one (diverged) loses to all.
struct Rank {
  bool valid = false;
  double score = 0;  // direction * measure
  double loss = 0;
};
bool Beats(const Rank& a, size_t index_a, const Rank& b, size_t index_b);

struct TournamentOptions {
  std::vector<int> rungs;  // epochs at which candidates are compared; the last is the full budget
  int eta = 3;  // ceil(n / eta) go on from each rung, and those that tie with the last of them
  std::vector<double> costs;  // expected cost of each candidate: the heaviest start first
};

// Trains the candidates, in this order, to so many epochs, on whatever threads or machines, and
// calls done(candidate, rank) once for each, from any thread.
using TrainRung = std::function<void(const std::vector<size_t>& order, int epochs,
                                     const std::function<void(size_t, const Rank&)>& done)>;

// finish(candidate) is called, one at a time, for candidates that drop out or lose, so that their
// memory can go. Returns the winner, or n if all are invalid.
size_t Tournament(const TournamentOptions& options, const TrainRung& train,
                  const std::function<void(size_t)>& finish);

// {epochs}, or for halving 1/27, 1/9, 1/3 and all of the epochs (ALGORITHMS 13.1: 11, 33, 99, 300
// of 300).
std::vector<int> Rungs(bool halving, int epochs);

// How many candidates each rung starts with if none ties or diverges.
std::vector<int> FieldSizes(int candidates, size_t rungs, int eta);

}  // namespace gopnet

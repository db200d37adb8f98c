// Tells the observer of every candidate of a search, with the best so far. Any thread may report.
#pragma once

#include <string>
#include <vector>

#include "nn/metric.h"
#include "train/runtime.h"

namespace gopnet {

class CandidateBoard {
 public:
  CandidateBoard(Runtime& rt, const Problem& problem, int layer) : rt_(rt), problem_(problem) {
    event_.layer = layer;
    event_.metric = problem.metric->name;
  }
  void Expect(int reports) { total_ += reports; }
  // A search in rounds: work ahead, of this round and what follows it, in any unit.
  void BeginRound(int round, int rounds, int sets, double ahead);
  void Restart() { total_ = event_.done = 0, all_work_ = done_work_ = 0; }
  // What is known of a candidate after so many epochs in all, `spent` of them since it was reported
  // last. output: of POP's output layer, else null. recalled: from an earlier part of the run.
  void Report(const OperatorSet& hidden, const OperatorSet* output, const Score& score, int epochs,
              int spent, bool diverged, bool recalled, double work = 1);
  long epochs() const { return epochs_; }
  int diverged() const { return diverged_; }

 private:
  Runtime& rt_;
  const Problem& problem_;
  CandidateEvent event_;  // the last one
  Score best_;
  long epochs_ = 0;
  int total_ = 0, diverged_ = 0;
  int before_ = 0, sets_ = 0;  // before_: done when the round began
  double all_work_ = 0, done_work_ = 0;
};

}  // namespace gopnet

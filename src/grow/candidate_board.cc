#include "grow/candidate_board.h"

#include <algorithm>

namespace gopnet {

void CandidateBoard::BeginRound(int round, int rounds, int sets, double ahead) {
  const std::lock_guard lock(rt_.mutex);
  all_work_ = done_work_ + ahead;
  round_ = round;
  rounds_ = rounds;
  before_ = done_;
  sets_ = sets;
}

void CandidateBoard::Report(const OperatorSet& hidden, const OperatorSet* output,
                            const Score& score, int epochs, int spent, bool diverged, bool recalled,
                            double work) {
  const std::lock_guard lock(rt_.mutex);
  done_work_ += work;
  epochs_ += spent;
  diverged_ += diverged;
  ++done_;
  if (Better(score, best_, problem_.direction)) {
    best_ = score;
    best_set_ = Names(hidden);
  }
  if (rt_.observer == nullptr) return;
  CandidateEvent event;
  event.layer = layer_;
  event.done = done_;
  event.total = std::max(total_, done_);
  event.ranks_only = rt_.later_visits > 0;
  event.round = round_;
  event.rounds = std::max(rounds_, round_);
  event.set = done_ - before_;
  event.sets = std::max(sets_ > 0 ? sets_ : total_, event.set);
  const double all = all_work_ > 0 ? all_work_ : total_;
  event.share = done_work_ < all ? done_work_ / all : 1;
  event.operator_set = Names(hidden);
  if (output != nullptr) event.output_set = Names(*output);
  if (score.valid) event.val = {{problem_.metric, score.measure}, {"loss", score.loss}};
  event.diverged = diverged;
  event.recalled = recalled;
  event.epochs = epochs;
  event.best_operator_set = best_set_;
  event.best_score = best_.measure;
  event.metric = problem_.metric;
  rt_.observer->OnCandidate(event);
}

}  // namespace gopnet

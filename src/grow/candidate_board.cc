#include "grow/candidate_board.h"

#include <algorithm>

namespace gopnet {

void CandidateBoard::BeginRound(int round, int rounds, int sets, double ahead) {
  const std::lock_guard lock(rt_.mutex);
  all_work_ = done_work_ + ahead;
  event_.round = round;
  event_.rounds = std::max(rounds, round);
  before_ = event_.done;
  sets_ = sets;
}

void CandidateBoard::Report(const OperatorSet& hidden, const OperatorSet* output,
                            const Score& score, int epochs, int spent, bool diverged, bool recalled,
                            double work) {
  const std::lock_guard lock(rt_.mutex);
  done_work_ += work;
  epochs_ += spent;
  diverged_ += diverged;
  ++event_.done;
  event_.operator_set = Names(hidden);
  if (Better(score, best_, problem_.metric->direction)) {
    best_ = score;
    event_.best_operator_set = event_.operator_set;
    event_.best_score = score.measure;
  }
  if (rt_.observer == nullptr) return;
  event_.total = std::max(total_, event_.done);
  event_.ranks_only = rt_.later_visits > 0;
  event_.set = event_.done - before_;
  event_.sets = std::max(sets_ > 0 ? sets_ : total_, event_.set);
  const double all = all_work_ > 0 ? all_work_ : total_;
  event_.share = done_work_ < all ? done_work_ / all : 1;
  event_.output_set = output != nullptr ? Names(*output) : std::vector<std::string>();
  event_.val = {};
  if (score.valid) event_.val = {{problem_.metric->name, score.measure}, {"loss", score.loss}};
  event_.diverged = diverged;
  event_.recalled = recalled;
  event_.epochs = epochs;
  rt_.observer->OnCandidate(event_);
}

}  // namespace gopnet

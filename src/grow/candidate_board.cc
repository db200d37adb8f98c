#include "grow/candidate_board.h"

#include <algorithm>

namespace gopnet {

void CandidateBoard::Report(const OperatorSet& hidden, const OperatorSet* output,
                            const Score& score, int epochs, int spent, bool diverged,
                            bool recalled) {
  const std::lock_guard lock(rt_.mutex);
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

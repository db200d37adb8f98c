// A run of a comparison that a rank other than 0 leads: it is written down by rank 0.
#pragma once

#include <string>

#include "gopnet/train.h"
#include "ranks/guest_ledger.h"
#include "ranks/host.h"

namespace gopnet {

class RemoteLead {
 public:
  // slot: of this rank. `inner` is asked whether to go on.
  RemoteLead(Post& post, const Assignment& job, int slot, int threads, UsageWatch& usage,
             Observer& inner)
      : post_(post), job_(job), slot_(slot), threads_(threads), usage_(usage), inner_(inner) {}
  void Run(const TrainData& data);

 private:
  Post& post_;
  const Assignment& job_;
  const int slot_;
  const int threads_;
  UsageWatch& usage_;
  Observer& inner_;
};

// An event as rank 0 passes it on to its observer.
template <class A>
void Fields(A& a, CandidateEvent& e) {
  a(e.layer, e.done, e.total, e.operator_set, e.output_set, e.val, e.diverged, e.recalled, e.epochs,
    e.best_operator_set, e.best_score, e.metric);
}

}  // namespace gopnet

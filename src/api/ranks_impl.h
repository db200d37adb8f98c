// Ranks' insides: the post, and what this rank is to the others.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "algorithms/algorithm.h"
#include "gopnet/ranks.h"
#include "ranks/host.h"
#include "search/post.h"

namespace gopnet {

class Ranks::Impl {
 public:
  // machine: the name of the computer; ranks that give the same name share memory.
  Impl(const std::function<std::unique_ptr<Comm>()>& open, std::string machine,
       const PostOptions& options = {});
  ~Impl();

  Post& post() { return post_; }
  Host& host() { return *host_; }  // rank 0
  const std::string& machine() const { return machine_; }
  // The number of threads to use: `requested`, or this rank's share of the cores it may use.
  int Threads(int requested) const;
  void SetNeighbours(int ranks) { neighbours_ = ranks; }
  // Rank 0: whether the job is to go on; ranks that were lost are told to the observer.
  bool GoOn(Observer* observer);
  std::vector<RankRecord> Usage();
  // Keeps what listens to the post until that is closed.
  void Keep(std::shared_ptr<void> listener) { listener_ = std::move(listener); }

 private:
  std::shared_ptr<void> listener_;
  Post post_;
  std::unique_ptr<Host> host_;
  const std::string machine_;
  std::atomic<int> neighbours_{1};  // ranks that may use the same cores, this one included
};

// Whether a run has candidates to share: operator sets, or the settings of a grid.
bool Searches(const Values& values);

// Leads a run on rank 0 while the others help.
TrainResult LeadSharedRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
                          const TrainOptions& options);

}  // namespace gopnet

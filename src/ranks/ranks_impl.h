// Ranks' insides: the messages, and what this rank is to the others.
#pragma once

#include "algorithms/algorithm.h"
#include "gopnet/ranks.h"
#include "ranks/leader.h"

namespace gopnet {

class Ranks::Impl {
 public:
  // machine: the name of the computer; ranks that give the same name share it.
  Impl(const std::function<std::unique_ptr<Comm>()>& open, std::string machine,
       const MessageOptions& options = {});
  ~Impl();

  Messages& messages() { return messages_; }
  Leader& leader() { return *leader_; }  // rank 0
  const std::string& machine() const { return machine_; }
  // The number of threads to use: `requested`, or this rank's share of the cores it may use.
  int Threads(int requested) const;
  void ShareCores(int ranks) { same_cores_ = ranks; }
  // Rank 0: trains a run while the others help.
  TrainResult Train(const Algorithm& algorithm, const Values& values, const TrainData& data,
                    const TrainOptions& options);

 private:
  const std::string machine_;
  std::atomic<int> same_cores_{1};  // ranks that may use the cores of this one, itself included
  std::shared_ptr<Leader> leader_;
  Messages messages_;
};

}  // namespace gopnet

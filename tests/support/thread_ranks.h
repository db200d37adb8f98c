// A job whose ranks are threads of this process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gopnet/ranks.h"
#include "ranks/ranks_impl.h"
#include "support/comm_threads.h"

namespace gopnet::testing {

struct JobOptions {
  int size = 2;
  // The machine of each rank; ranks on a machine share its cores. Empty: all on one machine.
  std::vector<std::string> machines = {};
  MessageOptions messages = {0.02, 5, 5};
  std::function<TrainData(const Ranks::Source&)> load = [](const Ranks::Source&) -> TrainData {
    throw Error("no such file");
  };
  std::function<bool(int rank)> go_on = [](int) { return true; };
};

// Rank 0 runs `lead` and the others help. Returns when all are done; rethrows what `lead` throws.
class ThreadJob {
 public:
  explicit ThreadJob(JobOptions options = {})
      : options_(std::move(options)), comm_(options_.size) {}

  void Run(const std::function<void(Ranks&)>& lead) {
    std::vector<std::thread> guests;
    for (int rank = 1; rank < options_.size; ++rank)
      guests.emplace_back([this, rank] { Help(rank); });
    std::exception_ptr failure;
    {
      Ranks ranks(Make(0));
      try {
        lead(ranks);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    for (std::thread& guest : guests) guest.join();
    if (failure) std::rethrow_exception(failure);
  }
  void Cut(int rank) { comm_.Cut(rank); }  // as if it had been killed

 private:
  std::unique_ptr<Ranks::Impl> Make(int rank) {
    const auto open = [this, rank] { return comm_.Join(rank); };
    const auto r = static_cast<size_t>(rank);
    return std::make_unique<Ranks::Impl>(
        open, r < options_.machines.size() ? options_.machines[r] : "here", options_.messages);
  }
  void Help(int rank) {
    Ranks ranks(Make(rank));
    try {
      ranks.Help(options_.load, [this, rank] { return options_.go_on(rank); });
    } catch (const Stopped&) {  // rank 0 ended, or this rank was cut off
    }
  }

  JobOptions options_;
  ThreadRanks comm_;
};

}  // namespace gopnet::testing

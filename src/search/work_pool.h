// The work that ranks share, kept by rank 0: batches of units, each handed out once, the heaviest
// first, and told to everybody when it is finished. Units of a rank that is lost are handed out
// again; should it come back with a result after all, the first one counts, and both are the same.
// Any thread may call.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gopnet {

class WorkPool {
 public:
  // A worker is whoever walks through a run: a rank may have several.
  struct Worker {
    int rank = 0;
    int number = 0;
    auto operator<=>(const Worker&) const = default;
  };
  struct Turn {
    enum Kind { kWork, kResult, kWait, kDone, kGone };  // kGone: there is no such batch any more
    Kind kind = kWait;
    size_t unit = 0;
    std::string result = {};  // of a unit that somebody else finished
    bool earlier = false;     // it was known when the batch was opened
  };

  // The batch of that name, of `units` units that are handed out in their order; known: results
  // that need no work. Whoever opens it after the first changes nothing.
  void Open(const std::string& batch, size_t units, const std::map<size_t, std::string>& known);
  // What the worker is to do next. kWait: nothing at the moment.
  Turn Next(const std::string& batch, const Worker& worker);
  Turn WaitNext(const std::string& batch, const Worker& worker, double seconds);
  void Finish(const std::string& batch, size_t unit, const Worker& worker, std::string result);
  void Lose(int rank);  // its units go back
  // Whether a batch whose name begins like that has a unit that nobody works on.
  bool HasWork(const std::string& prefix) const;
  void Drop(const std::string& prefix);  // forgets batches whose names begin like that
  void OnChange(std::function<void()> call) { on_change_ = std::move(call); }

 private:
  struct Unit {
    bool finished = false;
    std::string result;
    bool earlier = false;
    std::optional<Worker> leased;  // to whom
  };
  struct Reader {
    size_t told = 0;         // of the results, in the order in which they came
    std::set<size_t> known;  // its own
  };
  struct Batch {
    std::vector<Unit> units;
    std::deque<size_t> waiting;    // to be handed out
    std::vector<size_t> finished;  // in the order in which they were
    std::map<Worker, Reader> readers;
  };

  Turn Take(const std::string& batch, const Worker& worker);  // with the lock
  void Changed();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Batch> batches_;
  std::function<void()> on_change_;  // called without the lock
};

}  // namespace gopnet

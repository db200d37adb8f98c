// A run that ranks share, on rank 0: hands out the candidates of its batches one at a time, the
// heaviest first, and has what the others need of it, in front of the run's own store, to which all
// is passed on. Any thread may call.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>

#include "ranks/protocol.h"

namespace gopnet {

// What whoever asks for work gets.
struct WorkStep {
  std::vector<WorkQueue::Item> results;  // those that it did not know, in the order they came
  std::optional<size_t> unit;            // to be done
  bool done = false;                     // all are
  double waited = 0;                     // seconds, for this
};

decltype(auto) Fields(auto& a, WorkQueue::Item& i) { return a(i.unit, i.known, i.earlier); }
decltype(auto) Fields(auto& a, WorkStep& s) { return a(s.results, s.unit, s.done, s.waited); }

// The queue of a batch as one process sees it: rank 0, or another one. `ask` gets the next step for
// somebody who knows so many results; an empty one if it is to be asked again.
class SharedQueue : public WorkQueue {
 public:
  explicit SharedQueue(std::function<WorkStep(size_t known)> ask) : ask_(std::move(ask)) {}
  std::optional<Item> Next(const std::function<bool()>& go_on) override;

 private:
  const std::function<WorkStep(size_t)> ask_;
  std::mutex mutex_;  // guards the members below
  std::vector<Item> results_;
  size_t told_count_ = 0;
  std::set<size_t> own_;  // units that this process was given
  bool done_ = false;
};

class SharedRun : public RunStore {
 public:
  using Clock = std::chrono::steady_clock;
  // changed: is called when somebody who waits for work may get some, or is done.
  SharedRun(std::shared_ptr<RunStore> own, int ranks, std::function<void()> changed)
      : own_(std::move(own)), changed_(std::move(changed)), usage_(static_cast<size_t>(ranks)) {}

  std::string OpenBatch(const std::vector<WorkKey>& keys);  // its name, the same on every rank
  // For rank 0 it waits a moment, if there is nothing yet. communication: seconds that the rank
  // spent on its messages; since: when it asked.
  WorkStep Next(const std::string& batch, int rank, size_t known, double communication = 0,
                Clock::time_point since = Clock::now());
  void Lose(int rank);  // its units are handed out again
  std::vector<RankRecord> usage();

  bool keeps() const override { return true; }
  std::string LoadState(const WorkKey& key) override;
  void Add(const WorkKey& key, const Finished& finished, const Notes& notes,
           const std::string& state) override;
  std::unique_ptr<WorkQueue> Share(std::vector<WorkKey> batch) override;  // for rank 0
  std::optional<std::string> Load(const std::string& stage) override;
  void Save(const std::string& stage, std::string bytes) override;
  void Journal(const nlohmann::ordered_json& line) override { own_->Journal(line); }
  void Checkpoint(std::string model) override { own_->Checkpoint(std::move(model)); }
  void Finish(const std::string& model, const std::string& metrics,
              const Sums& others = {}) override {
    own_->Finish(model, metrics, others);
  }
  void KeepForResume(const std::string& metrics) override { own_->KeepForResume(metrics); }
  bool failed() const override { return own_->failed(); }
  double earlier_seconds() const override { return own_->earlier_seconds(); }

 private:
  struct AtWork {
    int rank;
    Clock::time_point since;
  };
  struct Batch {
    size_t size = 0;
    std::deque<size_t> waiting;
    std::map<size_t, AtWork> at_work;
    std::vector<WorkQueue::Item> results;
  };
  struct State {
    std::string bytes;
    bool old = false;  // of a stage that is finished: a slow rank may still ask for it
  };

  const std::shared_ptr<RunStore> own_;
  const std::function<void()> changed_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable result_;
  std::map<std::string, Batch> batches_;
  std::map<WorkKey, std::pair<std::string, size_t>> places_;  // batch and unit
  std::map<WorkKey, State> states_;
  std::map<std::string, std::string> stages_;
  std::vector<RankRecord> usage_;
};

}  // namespace gopnet

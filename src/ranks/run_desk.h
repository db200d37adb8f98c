// What rank 0 knows of a run that ranks share: what became of its candidates, their states, the
// stages that are finished. Passes on to the run's ledger, which may be on disk, whatever it is
// told. Any thread may call.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "nn/ledger.h"
#include "ranks/usage_watch.h"
#include "search/work_pool.h"

namespace gopnet {

class RunDesk {
 public:
  // run: its name among the runs of the job
  RunDesk(std::string run, Ledger& inner, WorkPool& pool)
      : run_(std::move(run)), inner_(&inner), pool_(pool) {}
  RunDesk(const RunDesk&) = delete;
  RunDesk& operator=(const RunDesk&) = delete;

  std::optional<Finished> Find(const WorkKey& key);
  std::string State(const WorkKey& key);
  void Add(const WorkPool::Worker& by, const WorkKey& key, const Finished& finished,
           const Notes& notes, const std::string& state);
  std::optional<std::string> Load(const std::string& stage);
  void Save(const std::string& stage, std::string bytes);
  std::string OpenBatch(const std::vector<WorkKey>& keys);  // its name in the pool
  WorkPool& pool() { return pool_; }
  void Close();                            // the run's ledger is not used any more
  bool opened() const { return opened_; }  // a batch was

 private:
  struct Place {
    std::string batch;
    size_t unit;
  };
  const std::string run_;
  Ledger nothing_;
  Ledger* inner_;
  WorkPool& pool_;
  std::atomic<bool> opened_{false};
  std::mutex mutex_;  // of inner_ and what follows
  std::map<WorkKey, Finished> finished_;
  std::map<WorkKey, Place> places_;  // of units that are shared
  // Of the present stage and of the one before: a slow rank may still ask for it.
  std::map<WorkKey, std::string> states_, earlier_states_;
  std::map<std::string, std::string> stages_;
};

// The ledger of a worker on rank 0.
class DeskLedger : public Ledger {
 public:
  DeskLedger(RunDesk& desk, int worker, UsageWatch& usage)
      : desk_(desk), worker_{0, worker}, usage_(usage) {}
  bool keeps() const override { return true; }
  bool shares() const override { return true; }
  std::optional<Finished> Find(const WorkKey& key) override { return desk_.Find(key); }
  std::string State(const WorkKey& key) override { return desk_.State(key); }
  void Add(const WorkKey& key, const Finished& finished, const Notes& notes,
           const std::string& state) override {
    desk_.Add(worker_, key, finished, notes, state);
  }
  std::unique_ptr<Turns> Share(std::vector<WorkKey> batch) override;
  std::optional<std::string> Load(const std::string& stage) override { return desk_.Load(stage); }
  void Save(const std::string& stage, std::string bytes) override {
    desk_.Save(stage, std::move(bytes));
  }

 private:
  RunDesk& desk_;
  const WorkPool::Worker worker_;
  UsageWatch& usage_;
};

}  // namespace gopnet

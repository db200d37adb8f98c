// The ledger of a run on disk: candidates are lines of journal.jsonl, with their state, if they
// need one, in state/candidates.bin; a finished stage is a file of its own in state/. Any thread
// may ask and tell.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "io/run_folder.h"
#include "nn/ledger.h"

namespace gopnet {

struct CandidateLine {
  Finished finished;
  size_t offset = 0, size = 0;  // of its state; size 0: none
  std::string sum;
};
// The candidates of that run in a journal. Lines that are not as they should be are left out: what
// they tell of is trained again.
std::map<WorkKey, CandidateLine> ReadCandidates(const JournalText& journal, const std::string& run,
                                                const std::string& metric);

class RunLedger : public Ledger {
 public:
  // Knows what the journal of the folder says. `metric` is the measure that decides.
  RunLedger(RunFolder& folder, std::string metric);

  bool keeps() const override { return true; }
  std::optional<Finished> Find(const WorkKey& key) override;
  std::string State(const WorkKey& key) override;
  void Add(const WorkKey& key, const Finished& finished, const Notes& notes,
           const std::string& state) override;
  std::optional<std::string> Load(const std::string& stage) override;
  void Save(const std::string& stage, std::string bytes) override;

 private:
  RunFolder& folder_;
  const std::string metric_;
  std::mutex mutex_;
  std::map<WorkKey, CandidateLine> lines_;
  std::set<std::string> stages_;  // that the journal has
};

}  // namespace gopnet

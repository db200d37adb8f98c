// Rank 0 of a job: answers what the others ask, and notices when one is lost. A question that
// cannot be answered yet waits until it can: for rows, for a run, for a candidate.
#pragma once

#include <list>
#include <set>

#include "gopnet/ranks.h"
#include "ranks/messages.h"
#include "ranks/shared_run.h"

namespace gopnet {

// What a rank says of itself, after its version.
struct RankInfo {
  std::string build;  // checksum of the program's file
  std::string machine;
  std::string cores;  // that it may use, as a mask
};
decltype(auto) Fields(auto& a, RankInfo& r) { return a(r.build, r.machine, r.cores); }

RankInfo DescribeThisRank(const std::string& machine);

struct Setup {
  Ranks::Source source;
  std::string fingerprint;  // not empty: every rank may read the files of `source` by itself
  int same_cores = 0;       // ranks that may use the cores of this one, itself included
  int same_machine = 0;     // likewise its memory
};
decltype(auto) Fields(auto& a, Setup& s) {
  return a(s.source, s.fingerprint, s.same_cores, s.same_machine);
}

// A run that a rank is to help with, or to train whole.
struct RunPlan {
  int number = 0;  // given by the leader
  bool whole = false;
  std::string algorithm = {};
  std::map<std::string, std::string> values = {};  // its parameters
  std::string folder = {};
  std::string fingerprint = {};  // of the rows, to help
  double checkpoint_seconds = 30;
  Ranks::Source source = {};
  std::string part_of = {};   // see TrainOptions
  uint64_t memory_limit = 0;  // of a rank; 0: its default
  int whole_runs = 0;         // that a rank trains side by side at most; 0: one a thread
};
decltype(auto) Fields(auto& a, RunPlan& p) {
  return a(p.number, p.whole, p.algorithm, p.values, p.folder, p.fingerprint, p.checkpoint_seconds,
           p.source, p.part_of, p.memory_limit, p.whole_runs);
}

// What became of a run that another rank trained whole.
struct RunReport {
  std::string metrics;  // as in metrics.json
  std::string problem;  // why there are none
  std::vector<std::string> warnings = {};
};
decltype(auto) Fields(auto& a, RunReport& r) { return a(r.metrics, r.problem, r.warnings); }

// A run for another rank to train whole, and who hears of its end and must not wait then.
struct WholeRun {
  RunPlan plan;
  std::function<void(const RunReport& report)> ended;
};

class Leader : public Messages::Listener {
 public:
  Leader(Messages& messages, const std::string& machine);

  // Gives the rows to all ranks that are not lost; see Ranks::Share. Throws Stopped if one does not
  // come, Error if one cannot have them. Returns how many ranks share the cores of rank 0.
  int ShareRows(const TrainData& data, const Ranks::Source& source);

  // A run of rank 0, in front of its own store. If it searches, the others help until it is closed.
  std::shared_ptr<SharedRun> OpenRun(RunPlan plan, std::shared_ptr<RunStore> own, bool searches);
  void CloseRun();
  // Runs for threads of the other ranks, until there is no `next`, which must not wait. A rank that
  // is lost meanwhile stops the job: nobody knows whether it still writes to the folder of its run.
  void HandOut(std::function<std::optional<WholeRun>(int thread)> next);
  void Changed();  // those who wait may get an answer now

  bool stop_wanted() const { return stop_; }  // a rank was asked to stop, or failed
  void RethrowFailure();                      // of a rank, if there was one
  std::vector<int> TakeLost();                // ranks that were lost since the last call

  void Receive(Messages::Question question) override;
  void Lose(int rank) override;
  void Look() override;

 private:
  using Clock = Messages::Clock;
  using Question = Messages::Question;
  bool Answered(const Question& question);
  std::optional<std::string> AnswerTo(const Question& question);
  void Welcome(int number, ArchiveReader& read);
  std::optional<std::string> NextRun(ArchiveReader& read);
  std::optional<std::string> AboutRun(Kind kind, const Question& question, ArchiveReader& read);
  void FailWith(std::exception_ptr failure);
  Setup SetupOf(const RankInfo& rank) const;
  std::string RowsAt(ArchiveReader& read) const;

  Messages& messages_;
  std::atomic<bool> stop_{false}, changed_{false};
  std::mutex mutex_;               // guards the members below
  std::map<int, RankInfo> ranks_;  // those that have said hello and are not lost, and this one
  std::set<int> missing_;          // ranks that are to say hello, then those that want rows
  std::vector<int> lost_untold_;   // ranks whose loss nobody was told of
  std::optional<Setup> setup_;
  const TrainData* rows_ = nullptr;  // while they are given out
  int numbers_ = 0;                  // of runs, so far
  RunPlan plan_;                     // of run_
  std::shared_ptr<SharedRun> run_;   // to help with
  std::function<std::optional<WholeRun>(int thread)> next_whole_;
  std::map<int, decltype(WholeRun::ended)> whole_;  // runs that other ranks train, by number
  std::list<Question> waiting_;
  std::exception_ptr failure_;
};

}  // namespace gopnet

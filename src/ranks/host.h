// Rank 0 of a job: hands out the work of its runs, keeps what comes back, and notices when a rank
// is lost. Answers come from the thread of the post, so nothing here waits, but WaitForGuests.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ranks/protocol.h"
#include "ranks/run_desk.h"
#include "search/post.h"

namespace gopnet {

// What a rank says of itself when it joins.
struct Guest {
  std::string host;
  std::string cores;              // that it may use, as a mask
  std::vector<std::string> simd;  // best first
};
template <class A>
void Fields(A& a, Guest& g) {
  a(g.host, g.cores, g.simd);
}

// What a rank is to do next.
struct Assignment {
  enum What : uint8_t { kWait, kHelp, kLead };
  uint8_t what = kWait;
  double seconds = 0.02;  // kWait: for so long
  std::string run;        // its name in the job
  std::string algorithm;
  std::map<std::string, std::string> values;  // its parameters
  std::string fingerprint;                    // kHelp: of the rows that the run is about
  int threads = 0;                            // 0: all of the rank
  // kLead
  std::string folder;
  bool resume = false;
  double checkpoint_seconds = 30;
  std::map<std::string, std::string> source;  // see TrainOptions
};
template <class A>
void Fields(A& a, Assignment& j) {
  a(j.what, j.seconds, j.run, j.algorithm, j.values, j.fingerprint, j.threads, j.folder, j.resume,
    j.checkpoint_seconds, j.source);
}

class Host {
 public:
  explicit Host(Post& post);
  Post& post() { return post_; }

  // The ranks that have said hello, by number, once all have that are not lost. Throws Stopped if
  // one does not come.
  std::map<int, Guest> WaitForGuests();

  // A run that ranks may help with until it is closed. `job` says how.
  std::shared_ptr<RunDesk> OpenRun(const Assignment& job, Ledger& inner, bool searches);
  void CloseRun(const std::string& run);
  // A run that has work for one more, for a helper on any rank.
  Assignment HelpWanted();
  static Assignment Nothing();  // to do for a while
  void HelperLeft(const std::string& run);
  void WaitForHelpers(const std::string& run, double seconds);  // to leave, so long at most
  std::shared_ptr<RunDesk> Desk(const std::string& run);        // null if it is closed
  int NewWorker() { return ++workers_; }                        // on rank 0

  // Who decides what guests do; without it they help. A rank asks for every one of its slots, as
  // many as it has threads.
  void JobsFrom(std::function<Assignment(int rank, int slot)> next);
  bool OnlyHelpers();  // nobody else decides
  // Further kinds of messages; the answer is sent if one is wanted.
  using Handler = std::function<std::string(int from, ArchiveReader& fields)>;
  void Handle(Kind kind, Handler handler);
  void OnLost(std::function<void(int rank)> call);

  bool stop_wanted() const { return stop_; }  // a rank was asked to stop, or failed
  void RethrowFailure();                      // of a guest, if there was one
  std::vector<int> TakeLost();                // ranks that were lost since the last call
  UsageWatch& usage() { return own_usage_; }
  std::vector<Usage> Usages();  // of every rank so far
  void End();                   // tells everybody that the job is over

 private:
  struct Run {
    Assignment job;
    std::shared_ptr<RunDesk> desk;
    bool searches = true;  // it will open batches
    int helpers = 0;
  };
  struct Waiting {  // a guest that asked for a turn when there was none
    int from;
    uint64_t id;
    WorkPool::Worker worker;
    std::string batch;
    BatchUsage::Clock::time_point since;
    std::vector<TurnLine> lines;
  };

  Assignment HelperFor(int slot);
  void OnMessage(int from, uint64_t id, const std::string& body);
  void Dispatch(int from, uint64_t id, const std::string& body);
  bool Answered(Kind kind, int from, uint64_t id, ArchiveReader& read);
  std::optional<std::string> AboutRun(Kind kind, int from, uint64_t id, ArchiveReader& read);
  bool OthersNeedHelp(const std::string& run) const;
  bool TakeTurns(Waiting& waiting);  // false: there is nothing to do at the moment
  void AnswerWaiting();
  void Lose(int rank);
  void Fail(ArchiveReader& read, int from);
  void FailWith(std::exception_ptr failure);

  Post& post_;
  WorkPool pool_;
  UsageWatch own_usage_;
  std::atomic<bool> stop_{false};
  std::atomic<int> workers_{0};

  // Held during calls, so that none is under way once a new function has been set.
  std::mutex calls_;
  std::map<Kind, Handler> handlers_;
  std::function<Assignment(int, int)> next_job_;
  std::function<void(int)> on_lost_;

  std::mutex mutex_;  // of what follows
  std::map<int, Guest> guests_;
  std::map<std::string, Run> runs_;
  std::list<Waiting> waiting_;
  std::vector<int> lost_;
  std::vector<Usage> usages_;
  std::exception_ptr failure_;
};

}  // namespace gopnet

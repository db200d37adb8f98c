// The runs of a comparison, several side by side.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "api/compare_folder.h"
#include "api/compare_watch.h"
#include "api/job_queue.h"
#include "api/run_server.h"
#include "gopnet/compare.h"

namespace gopnet {

// Job i is run i % seeds of row i / seeds.
class CompareRuns {
 public:
  // Reads the runs that are finished already.
  CompareRuns(const TrainData& data, const CompareOptions& options, const CompareFolder& folder,
              CompareWatch& watch, Comparison& comparison);

  // Trains the others. An Error is a run that failed; anything else stops all runs and is thrown.
  void Train();

 private:
  const CompareSystem& SystemOf(size_t job) const;
  CompareRun& RunOf(size_t job);
  std::optional<size_t> Before(size_t job) const;  // the run whose topology it takes
  void TrainHere(JobQueue& queue, int workers, const std::function<void()>& work);
  void Work(JobQueue& queue);
  CompareRun TrainOne(size_t job, int threads);
  Params ParamsOf(size_t job, int threads);
  void Finish(size_t job, CompareRun run);
  double SecondsLeft();
  // With ranks: see compare_ranks.cc.
  void TrainShared(JobQueue& queue);
  void WorkShared(JobQueue& queue);
  bool HelpHere();
  Assignment Assign(JobQueue& queue, int rank);
  Assignment LeadElsewhere(size_t job, int rank);
  RunServer::Calls CallsOf(JobQueue& queue);
  void LoseLeader(JobQueue& queue, const std::string& run);
  void Led(JobQueue& queue, const std::string& run, const std::string& problem);
  void FailWith(JobQueue& queue, std::exception_ptr failure);

  const TrainData& data_;
  const CompareOptions& options_;
  CompareWatch& watch_;
  Comparison& comparison_;
  const size_t seeds_;
  std::mutex mutex_;  // of what follows
  std::vector<Job> jobs_;
  std::vector<size_t> trained_;  // now, not before
  std::exception_ptr failure_;
  struct Elsewhere {
    size_t job;
    std::unique_ptr<RunObserver> observer;
  };
  std::map<std::string, Elsewhere> elsewhere_;  // runs that other ranks lead
  int led_ = 0;                                 // so far
  std::unique_ptr<RunServer> server_;
};

}  // namespace gopnet

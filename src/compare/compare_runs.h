// The runs of a comparison, several side by side.
#pragma once

#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "compare/compare_folder.h"
#include "compare/compare_watch.h"
#include "compare/job_queue.h"
#include "ranks/leader.h"

namespace gopnet {

// Job i is run i % seeds of row i / seeds.
class CompareRuns {
 public:
  // Reads the runs that are finished already.
  CompareRuns(const TrainData& data, const CompareOptions& options, const CompareFolder& folder,
              const std::string& fingerprint, CompareWatch& watch, Comparison& comparison);

  // Trains the others. An Error is a run that failed; anything else stops all runs and is thrown.
  void Train();

 private:
  std::vector<Job> ReadJobs(const CompareFolder& folder);
  bool ReadJob(size_t job);          // whether it is finished
  std::string WhyUnfit(size_t job);  // what is in its folder; empty: nothing, or it fits
  const CompareSystem& SystemOf(size_t job) const;
  CompareRun& RunOf(size_t job);
  std::optional<size_t> Before(size_t job) const;  // the run whose topology it takes
  void TrainHere(int workers, const std::function<void(size_t worker)>& work);
  void Work();
  CompareRun TrainOne(size_t job, int threads);
  void TellStart(size_t job);
  Params ParamsOf(size_t job, int threads);
  Values ValuesOf(size_t job);     // with one thread
  std::string PartOf(size_t job);  // see TrainOptions
  void Finish(size_t job, CompareRun run);
  double SecondsLeft(const std::vector<Job>& jobs);

  // With ranks, which train whole runs, one thread each.
  void TrainOnRanks();
  void Watch();  // returns when all runs are finished, throws Stopped
  std::optional<WholeRun> NextForOthers();
  WholeRun ForOthers(size_t job);

  const TrainData& data_;
  const CompareOptions& options_;
  const std::string fingerprint_;  // of the rows
  CompareWatch& watch_;
  Comparison& comparison_;
  Leader* const leader_;  // null without other ranks
  const int threads_;     // of this process
  const size_t seeds_;
  JobQueue queue_;
  std::mutex mutex_;             // guards the members below, and runs that are finished
  std::vector<size_t> trained_;  // now, not before
  std::exception_ptr failure_;
};

}  // namespace gopnet

// The runs of a comparison on several ranks: every slot of every rank leads a run, one thread each,
// as long as there are some that nobody has begun, and then helps with the searches of the others.
#include <chrono>
#include <thread>

#include "algorithms/registry.h"
#include "api/compare_runs.h"
#include "api/compare_systems.h"
#include "api/ranks_impl.h"
#include "api/train_run.h"
#include "base/check.h"
#include "io/run_folder.h"

namespace gopnet {
namespace {

constexpr std::chrono::milliseconds kPause(20);

}  // namespace

void CompareRuns::TrainShared(JobQueue& queue) {
  Ranks::Impl& ranks = options_.ranks->impl();
  Host& host = ranks.host();
  watch_.AlsoAsk([&] { return !host.stop_wanted(); });
  server_ = std::make_unique<RunServer>(host, CallsOf(queue));
  const int threads = RequestedThreads(options_);
  host.JobsFrom([this, threads, &queue](int rank, int slot) {
    return threads > 0 && slot >= threads ? Host::Nothing() : Assign(queue, rank);
  });
  TrainHere(queue, ranks.Threads(threads), [&] { WorkShared(queue); });
  host.JobsFrom(nullptr);
  server_.reset();
  const std::lock_guard lock(mutex_);
  try {
    host.RethrowFailure();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

// What becomes of the runs that other ranks lead.
RunServer::Calls CompareRuns::CallsOf(JobQueue& queue) {
  const auto observe = [this](const std::string& run, const auto& tell) {
    const std::lock_guard lock(mutex_);
    const auto it = elsewhere_.find(run);
    if (it != elsewhere_.end()) tell(*it->second.observer);
  };
  RunServer::Calls calls;
  calls.on_candidate = [observe](const std::string& run, const CandidateEvent& event) {
    observe(run, [&](Observer& o) { o.OnCandidate(event); });
  };
  calls.on_warning = [observe](const std::string& run, const std::string& text) {
    observe(run, [&](Observer& o) { o.OnWarning(text); });
  };
  calls.on_led = [this, &queue](const std::string& run, const std::string& problem) {
    Led(queue, run, problem);
  };
  calls.on_lost = [this, &queue](const std::string& run) { LoseLeader(queue, run); };
  calls.on_failure = [this, &queue](std::exception_ptr failure) { FailWith(queue, failure); };
  return calls;
}

void CompareRuns::LoseLeader(JobQueue& queue, const std::string& run) {
  const std::lock_guard lock(mutex_);
  const auto it = elsewhere_.find(run);
  if (it == elsewhere_.end()) return;
  queue.GiveBack(it->second.job);
  elsewhere_.erase(it);
}

void CompareRuns::WorkShared(JobQueue& queue) {
  while (!queue.Finished()) {
    if (!watch_.GoOn()) throw Stopped("stopped on request");
    for (const int rank : options_.ranks->impl().host().TakeLost())
      watch_.Warn("ranks", Join("rank ", rank, " is lost; what it worked on is done again"));
    if (const auto job = queue.TryNext()) {
      Finish(*job, TrainOne(*job, 1));
      queue.Done(*job);
    } else if (!HelpHere()) {
      std::this_thread::sleep_for(kPause);
    }
  }
}

// Helps with a run that another slot leads. False if none has work for one more.
bool CompareRuns::HelpHere() {
  Host& host = options_.ranks->impl().host();
  const Assignment job = host.HelpWanted();
  if (job.what != Assignment::kHelp) return false;
  if (const auto desk = host.Desk(job.run)) {
    DeskLedger ledger(*desk, host.NewWorker(), host.usage());
    GoOnObserver observer([this] { return watch_.GoOn(); });
    HelpRun(FindAlgorithm(job.algorithm), job.values, data_, job.fingerprint, 1, ledger, observer);
  }
  host.HelperLeft(job.run);
  return true;
}

Assignment CompareRuns::Assign(JobQueue& queue, int rank) {
  while (const auto job = queue.TryNext()) {
    try {
      return LeadElsewhere(*job, rank);
    } catch (const Error& e) {  // it cannot even begin
      CompareRun run;
      {
        const std::lock_guard lock(mutex_);
        run = RunOf(*job);
      }
      run.error = e.what();
      Finish(*job, run);
      queue.Done(*job);
    }
  }
  return options_.ranks->impl().host().HelpWanted();
}

Assignment CompareRuns::LeadElsewhere(size_t job, int rank) {
  const CompareSystem& system = SystemOf(job);
  Assignment lead;
  lead.what = Assignment::kLead;
  {
    const std::lock_guard lock(mutex_);
    lead.folder = RunOf(job).folder;
    lead.values = Resolve(system.algorithm, ParamsOf(job, 1));
    // a name of its own: should the rank come back that was thought lost, nobody listens to it
    lead.run = Join(lead.folder, "#", ++led_);
    elsewhere_[lead.run] = {job, std::make_unique<RunObserver>(watch_, system, RunOf(job).seed)};
  }
  lead.algorithm = system.algorithm;
  lead.resume = HoldsRun(lead.folder);
  lead.checkpoint_seconds = options_.checkpoint_seconds;
  lead.source = options_.source;
  lead.threads = 1;
  watch_.Tell([&](CompareObserver& o) { o.OnRunStart(system, RunOf(job).seed); });
  server_->Expect(rank, lead);
  return lead;
}

void CompareRuns::Led(JobQueue& queue, const std::string& name, const std::string& problem) {
  size_t job = 0;
  CompareRun run;
  {
    const std::lock_guard lock(mutex_);
    const auto it = elsewhere_.find(name);
    if (it == elsewhere_.end()) return;
    job = it->second.job;
    run = RunOf(job);
    elsewhere_.erase(it);
  }
  const auto finished = CompareFolder::ReadRun(run.folder, comparison_.metric);
  if (finished) {
    run = *finished;
  } else {
    run.error = problem;
  }
  Finish(job, run);
  queue.Done(job);
}

}  // namespace gopnet

#include "compare/compare_runs.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/check.h"
#include "base/parse_json.h"
#include "base/threads.h"
#include "base/usable_memory.h"
#include "base/visit.h"
#include "compare/compare_systems.h"
#include "gopnet/run.h"
#include "ranks/ranks_impl.h"
#include "run/run_folder.h"

namespace gopnet {

CompareRuns::CompareRuns(const TrainData& data, const CompareOptions& options,
                         const CompareFolder& folder, const std::string& fingerprint,
                         CompareWatch& watch, Comparison& comparison)
    : data_(data),
      options_(options),
      fingerprint_(fingerprint),
      watch_(watch),
      comparison_(comparison),
      leader_(options.ranks != nullptr && options.ranks->size() > 1
                  ? &options.ranks->impl().leader()
                  : nullptr),
      threads_(leader_ == nullptr ? comparison.threads
                                  : options.ranks->impl().Threads(RequestedThreads(options))),
      seeds_(comparison.seeds.size()),
      queue_(ReadJobs(folder), leader_ != nullptr ? 1 : comparison.threads) {}

std::vector<Job> CompareRuns::ReadJobs(const CompareFolder& folder) {
  for (CompareRow& row : comparison_.rows) row.runs.resize(seeds_);
  std::vector<Job> jobs;
  for (size_t i = 0; i < comparison_.rows.size() * seeds_; ++i) {
    RunOf(i).seed = comparison_.seeds[i % seeds_];
    RunOf(i).folder = folder.RunPath(SystemOf(i), RunOf(i).seed);
    jobs.push_back({SystemCost(SystemOf(i)), Before(i), false});
  }
  for (const bool waits : {false, true})  // for another's topology
    for (size_t i = 0; i < jobs.size(); ++i)
      if (jobs[i].after.has_value() == waits) jobs[i].done = ReadJob(i);
  return jobs;
}

bool CompareRuns::ReadJob(size_t job) {
  CompareRun& run = RunOf(job);
  const std::string unfit = WhyUnfit(job);
  if (!unfit.empty()) {
    const std::string aside = CompareFolder::SetAside(run.folder);
    watch_.Warn(Join(SystemOf(job).name, " seed ", run.seed),
                Join("training again, since the folder did not hold a complete run of this "
                     "comparison (",
                     unfit, "); moved that folder to ", aside));
  }
  const auto finished = CompareFolder::ReadRun(run.folder, comparison_.metric);
  if (!finished) return false;
  run = *finished;
  ClearState(run.folder);
  return true;
}

std::string CompareRuns::WhyUnfit(size_t job) {
  const std::string& folder = RunOf(job).folder;
  std::error_code nothing;
  if (std::filesystem::is_symlink(folder, nothing)) return "it is a symbolic link";
  if (!HoldsRun(folder))
    return !std::filesystem::exists(folder, nothing) || IsAsGoodAsEmpty(folder)
               ? ""
               : "it has no config.json";
  const auto before = Before(job);
  if (before && RunOf(*before).widths.empty())
    return Join("it needs the topology of ", SystemOf(*before).name, ", which is missing");
  const std::string& algorithm = SystemOf(job).algorithm;
  return CompareFolder::Unfit(folder, algorithm, ValuesOf(job), PartOf(job));
}

Values CompareRuns::ValuesOf(size_t job) {
  return Resolve(SystemOf(job).algorithm, ParamsOf(job, 1));
}

std::string CompareRuns::PartOf(size_t job) {
  return CompareFolder::PartOf(SystemOf(job), ValuesOf(job), fingerprint_);
}

const CompareSystem& CompareRuns::SystemOf(size_t job) const {
  return comparison_.rows[job / seeds_].system;
}

CompareRun& CompareRuns::RunOf(size_t job) {
  return comparison_.rows[job / seeds_].runs[job % seeds_];
}

std::optional<size_t> CompareRuns::Before(size_t job) const {
  const std::string& base = SystemOf(job).topology_of;
  for (size_t row = 0; row < comparison_.rows.size(); ++row) {
    if (comparison_.rows[row].system.name == base) return row * seeds_ + job % seeds_;
  }
  return std::nullopt;
}

void CompareRuns::Train() {
  const std::vector<Job> jobs = queue_.jobs();
  const auto done = std::ranges::count(jobs, true, &Job::done);
  watch_.Tell([&](CompareObserver& o) {
    o.OnStart(comparison_, static_cast<int>(done), static_cast<int>(jobs.size()));
  });
  if (leader_ != nullptr) {
    TrainOnRanks();
  } else {
    const size_t workers = std::min(jobs.size(), static_cast<size_t>(comparison_.threads));
    TrainHere(static_cast<int>(workers), [&](size_t) { Work(); });
  }
  if (failure_) std::rethrow_exception(failure_);
}

void CompareRuns::TrainHere(int workers, const std::function<void(size_t worker)>& work) {
  ParallelFor(static_cast<size_t>(workers), workers, [&](size_t worker, int) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();  // the others stop because of the first
      queue_.Stop();
      watch_.Stop();
    }
  });
}

void CompareRuns::Work() {
  while (const auto next = queue_.Next()) {
    if (!watch_.GoOn()) throw Stopped("stopped on request");
    Finish(next->job, TrainOne(next->job, next->threads));
  }
}

// The model stays on disk only: all models together may be large.
CompareRun CompareRuns::TrainOne(size_t job, int threads) {
  TellStart(job);
  CompareRun run = RunOf(job);
  RunObserver observer(watch_, SystemOf(job), run.seed);
  TrainOptions options{run.folder, &observer, 0, options_.source};
  options.checkpoint_seconds = options_.checkpoint_seconds;
  // what runs side by side may use, each of its threads an equal part
  const size_t all = options_.memory_limit > 0 ? options_.memory_limit : DefaultMemoryLimit();
  options.memory_limit =
      all / static_cast<size_t>(threads_) * static_cast<size_t>(std::clamp(threads, 1, threads_));
  options.resume = HoldsRun(run.folder);
  try {
    options.part_of = PartOf(job);
    gopnet::Train(SystemOf(job).algorithm, data_, ParamsOf(job, threads), options);
    const auto trained = CompareFolder::ReadRun(run.folder, comparison_.metric);
    Check(trained.has_value(), run.folder, ": cannot read the run that was just trained");
    return *trained;
  } catch (const Changed&) {  // the others would meet it, too
    throw;
  } catch (const Error& e) {
    run.error = e.what();
    return run;
  }
}

void CompareRuns::TellStart(size_t job) {
  watch_.Tell([&](CompareObserver& o) { o.OnRunStart(SystemOf(job), RunOf(job).seed); });
}

void CompareRuns::TrainOnRanks() {
  const int threads = RequestedThreads(options_);
  leader_->HandOut([this, threads](int thread) {
    return threads == 0 || thread < threads ? NextForOthers() : std::nullopt;
  });
  {
    const std::shared_ptr<void> guard(nullptr, [this](void*) { leader_->HandOut(nullptr); });
    // One thread more, which has nothing else to do than to wait for the others.
    TrainHere(1 + threads_, [&](size_t worker) { worker == 0 ? Watch() : Work(); });
  }
  leader_->RethrowFailure();
}

void CompareRuns::Watch() {
  for (; !queue_.Finished(); std::this_thread::sleep_for(std::chrono::milliseconds(20)))
    if (leader_->stop_wanted() || !watch_.GoOn()) throw Stopped("stopped on request");
}

std::optional<WholeRun> CompareRuns::NextForOthers() {
  while (const auto next = queue_.Next(false)) {
    try {
      return ForOthers(next->job);
    } catch (const Error& e) {  // it cannot even begin
      CompareRun run = RunOf(next->job);
      run.error = e.what();
      Finish(next->job, run);
    }
  }
  return std::nullopt;
}

WholeRun CompareRuns::ForOthers(size_t job) {
  TellStart(job);
  const CompareSystem& system = SystemOf(job);
  WholeRun run;
  run.plan.whole = true;
  run.plan.algorithm = system.algorithm;
  run.plan.values = ValuesOf(job);
  run.plan.folder = RunOf(job).folder;  // ranks start in one working directory
  run.plan.checkpoint_seconds = options_.checkpoint_seconds;
  run.plan.source = options_.source;
  run.plan.part_of = PartOf(job);
  run.plan.memory_limit = options_.memory_limit;
  run.plan.whole_runs = RequestedThreads(options_);
  run.ended = [this, job, &system](const RunReport& report) {
    CompareRun ended = RunOf(job);
    for (const std::string& warning : report.warnings)
      watch_.Warn(Join(system.name, " seed ", ended.seed), warning);
    ended.error = report.problem;
    ended.threads = 1;
    if (report.problem.empty())
      ReadMetrics(ParseJson<nlohmann::ordered_json>(report.metrics), comparison_.metric, ended);
    Finish(job, ended);
  };
  return run;
}

Params CompareRuns::ParamsOf(size_t job, int threads) {
  Params params = SystemOf(job).params;
  params.Set("seed", std::to_string(RunOf(job).seed)).Set("threads", threads);
  const auto before = Before(job);
  if (!before) return params;
  // h_k = units_k + dims of memory k of the network that POPmem-O learned with this seed
  const std::vector<int>& widths = RunOf(*before).widths;
  Check(!widths.empty(), "needs the topology of ", SystemOf(*before).name, ", which failed");
  return params.Set("topology", FormatValue(widths));
}

void CompareRuns::Finish(size_t job, CompareRun run) {
  {
    const std::lock_guard lock(mutex_);
    RunOf(job) = std::move(run);
    trained_.push_back(job);
    std::vector<Job> jobs = queue_.jobs();
    jobs[job].done = true;
    const auto done = std::ranges::count(jobs, true, &Job::done);
    watch_.Tell([&](CompareObserver& o) {
      o.OnRun(SystemOf(job), RunOf(job), static_cast<int>(done), static_cast<int>(jobs.size()),
              SecondsLeft(jobs));
    });
    queue_.Done(job);
  }
  if (leader_ != nullptr) leader_->Changed();  // a run that waited for this one may begin
}

// By the runs of the same system if one has been trained, by all and their costs if not.
double CompareRuns::SecondsLeft(const std::vector<Job>& jobs) {
  struct Tally {
    double cost = 0, seconds = 0;
  };
  std::vector<Tally> of_row(comparison_.rows.size());
  Tally all;
  for (const size_t job : trained_) {
    if (!RunOf(job).error.empty()) continue;
    for (Tally* tally : {&all, &of_row[job / seeds_]}) {
      tally->cost += jobs[job].cost;
      tally->seconds += RunOf(job).seconds * RunOf(job).threads;
    }
  }
  double left = 0;
  for (size_t job = 0; job < jobs.size() && all.cost > 0; ++job) {
    const Tally& own = of_row[job / seeds_];
    const Tally& tally = own.cost > 0 ? own : all;
    if (!jobs[job].done) left += jobs[job].cost * tally.seconds / tally.cost;
  }
  return left / comparison_.threads;
}

}  // namespace gopnet

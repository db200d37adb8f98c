#include "api/compare_runs.h"

#include <algorithm>
#include <numeric>

#include "api/compare_systems.h"
#include "base/check.h"
#include "base/threads.h"
#include "base/visit.h"
#include "gopnet/ranks.h"
#include "gopnet/run.h"
#include "io/run_folder.h"

namespace gopnet {

CompareRuns::CompareRuns(const TrainData& data, const CompareOptions& options,
                         const CompareFolder& folder, CompareWatch& watch, Comparison& comparison)
    : data_(data),
      options_(options),
      watch_(watch),
      comparison_(comparison),
      seeds_(comparison.seeds.size()),
      jobs_(comparison.rows.size() * seeds_) {
  for (CompareRow& row : comparison.rows) row.runs.resize(seeds_);
  for (size_t i = 0; i < jobs_.size(); ++i) {
    CompareRun& run = RunOf(i);
    run.seed = comparison.seeds[i % seeds_];
    run.folder = folder.RunPath(SystemOf(i), run.seed);
    const auto finished = CompareFolder::ReadRun(run.folder, comparison.metric);
    if (finished) {
      run = *finished;
      ClearState(run.folder);
    }
    jobs_[i] = {SystemCost(SystemOf(i)), Before(i), finished.has_value()};
  }
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
  const auto done = std::count_if(jobs_.begin(), jobs_.end(), [](const Job& j) { return j.done; });
  watch_.Tell([&](CompareObserver& o) {
    o.OnStart(comparison_, static_cast<int>(done), static_cast<int>(jobs_.size()));
  });
  JobQueue queue(jobs_, comparison_.threads);
  if (options_.ranks != nullptr && options_.ranks->size() > 1) {
    TrainShared(queue);
  } else {
    const size_t workers = std::min(jobs_.size(), static_cast<size_t>(comparison_.threads));
    TrainHere(queue, static_cast<int>(workers), [&] { Work(queue); });
  }
  if (failure_) std::rethrow_exception(failure_);
}

void CompareRuns::TrainHere(JobQueue& queue, int workers, const std::function<void()>& work) {
  std::vector<size_t> order(static_cast<size_t>(workers));
  std::iota(order.begin(), order.end(), size_t{0});
  RunTasks(order, workers, [&](size_t, int) {
    try {
      work();
    } catch (...) {
      FailWith(queue, std::current_exception());
    }
  });
}

// The first reason counts; the others stop because of it.
void CompareRuns::FailWith(JobQueue& queue, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = failure;
  queue.Stop();
  watch_.Stop();
}

void CompareRuns::Work(JobQueue& queue) {
  while (const auto turn = queue.Next()) {
    if (!watch_.GoOn()) throw Stopped("stopped on request");
    Finish(turn->job, TrainOne(turn->job, turn->threads));
    queue.Done(turn->job);
  }
}

// The model stays on disk only: all models together may be large.
CompareRun CompareRuns::TrainOne(size_t job, int threads) {
  const CompareSystem& system = SystemOf(job);
  CompareRun run = RunOf(job);
  watch_.Tell([&](CompareObserver& o) { o.OnRunStart(system, run.seed); });
  RunObserver observer(watch_, system, run.seed);
  TrainOptions options{run.folder, &observer, 0, options_.source};
  options.checkpoint_seconds = options_.checkpoint_seconds;
  options.ranks = options_.ranks;
  options.resume = HoldsRun(run.folder);
  try {
    gopnet::Train(system.algorithm, data_, ParamsOf(job, threads), options);
    return CompareFolder::ReadRun(run.folder, comparison_.metric).value();
  } catch (const Error& e) {
    run.error = e.what();
    return run;
  }
}

Params CompareRuns::ParamsOf(size_t job, int threads) {
  Params params = SystemOf(job).params;
  params.Set("seed", std::to_string(RunOf(job).seed)).Set("threads", threads);
  const auto before = Before(job);
  if (!before) return params;
  // h_k = units_k + dims of memory k of the network that POPmem-O learned with this seed
  const std::vector<int>& widths = RunOf(*before).widths;
  Check(!widths.empty(), SystemOf(*before).name, ", whose topology this would take, failed");
  return params.Set("topology", FormatValue(widths));
}

void CompareRuns::Finish(size_t job, CompareRun run) {
  const std::lock_guard lock(mutex_);
  RunOf(job) = std::move(run);
  jobs_[job].done = true;
  trained_.push_back(job);
  const auto done = std::count_if(jobs_.begin(), jobs_.end(), [](const Job& j) { return j.done; });
  watch_.Tell([&](CompareObserver& o) {
    o.OnRun(SystemOf(job), RunOf(job), static_cast<int>(done), static_cast<int>(jobs_.size()),
            SecondsLeft());
  });
}

// By the runs of the same system if one has been trained, by all and their costs if not.
double CompareRuns::SecondsLeft() {
  struct Tally {
    double cost = 0, seconds = 0;
  };
  std::vector<Tally> of_row(comparison_.rows.size());
  Tally all;
  for (const size_t job : trained_) {
    if (!RunOf(job).error.empty()) continue;
    for (Tally* tally : {&all, &of_row[job / seeds_]}) {
      tally->cost += jobs_[job].cost;
      tally->seconds += RunOf(job).seconds * RunOf(job).threads;
    }
  }
  double left = 0;
  for (size_t job = 0; job < jobs_.size() && all.cost > 0; ++job) {
    const Tally& own = of_row[job / seeds_];
    const Tally& tally = own.cost > 0 ? own : all;
    if (!jobs_[job].done) left += jobs_[job].cost * tally.seconds / tally.cost;
  }
  return left / comparison_.threads;
}

}  // namespace gopnet

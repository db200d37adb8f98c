#include "gopnet/compare.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "base/check.h"
#include "base/threads.h"
#include "compare/compare_folder.h"
#include "compare/compare_runs.h"
#include "compare/compare_systems.h"
#include "compare/compare_watch.h"
#include "data/dataset_fields.h"
#include "kernels/simd.h"
#include "ranks/ranks_impl.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

// The measure of the table: the one that chooses networks if greater is better, or the usual one.
std::string TableMetric(const Params& params, Task task) {
  if (ComparesByLoss(params)) return "loss";
  const std::string metric = params.Has("metric") ? params.values().at("metric") : "auto";
  if (metric != "auto" && MetricDirection(metric) > 0) return metric;
  return task == Task::kClassification ? "accuracy" : "r2";
}

// Rows of each part, as the first run sees them. Throws what every run would throw.
std::map<std::string, long> CheckData(const TrainData& data, const CompareSystem& system,
                                      unsigned long long seed, CompareWatch& watch) {
  Params params = system.params;
  const Values values = Resolve(system.algorithm, params.Set("seed", std::to_string(seed)));
  RunObserver observer(watch, system, seed);
  Runtime rt;
  rt.observer = &observer;
  const Prepared p = Prepare(FindAlgorithm(system.algorithm), values, data, rt);
  Check(p.test.size() > 0, "compare: no test rows; use a test set or test_split");
  std::map<std::string, long> counts = RowCounts(p);
  counts.erase("folds");  // of one algorithm, not of all
  return counts;
}

Comparison Start(const TrainData& data, const CompareOptions& options,
                 const std::vector<CompareSystem>& systems, CompareWatch& watch) {
  Comparison c;
  c.metric = TableMetric(options.params, data.train.task);
  c.task = FormatValue(data.train.task);
  c.threads = ThreadCount(RequestedThreads(options));
  if (options.ranks != nullptr)
    c.threads = options.ranks->size() * options.ranks->impl().Threads(RequestedThreads(options));
  c.seeds = CompareSeeds(options);
  for (const CompareSystem& system : systems) c.rows.emplace_back().system = system;
  c.data = CheckData(data, systems.front(), c.seeds.front(), watch);
  return c;
}

// Of a member of CompareRun, or of what a function makes of one; it may be none.
template <class Number>
Spread SpreadOf(const CompareRow& row, Number number) {
  std::vector<double> values;
  for (const CompareRun& run : row.runs) {
    const std::optional<double> value = std::invoke(number, run);
    if (run.error.empty() && value) values.push_back(*value);
  }
  if (values.empty()) return {};
  std::ranges::sort(values);
  const size_t n = values.size();
  const double median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  return {static_cast<int>(n), median, values.front(), values.back()};
}

void Summarize(CompareRow& row) {
  row.failed = static_cast<int>(
      std::ranges::count_if(row.runs, [](const CompareRun& run) { return !run.error.empty(); }));
  row.test = SpreadOf(row, &CompareRun::test);
  row.val = SpreadOf(row, &CompareRun::val);
  row.layers = SpreadOf(row, [](const CompareRun& run) { return double(run.widths.size()); });
  row.parameters = SpreadOf(row, [](const CompareRun& run) { return double(run.parameters); });
  row.seconds_per_layer = SpreadOf(row, &CompareRun::seconds_per_layer);
  row.seconds = SpreadOf(row, &CompareRun::seconds);
}

// The linear model beside which every run measured itself, as a row of its own: of each seed once.
void AddLinear(Comparison& c) {
  CompareRow linear;
  linear.system.name = linear.system.algorithm = "linear";
  for (size_t s = 0; s < c.seeds.size(); ++s) {
    const auto row = std::ranges::find_if(
        c.rows, [&](const CompareRow& r) { return r.runs[s].linear.has_value(); });
    if (row == c.rows.end()) continue;
    CompareRun& run = linear.runs.emplace_back();
    run.seed = c.seeds[s];
    run.test = row->runs[s].linear;
  }
  linear.test = SpreadOf(linear, &CompareRun::test);
  if (!linear.runs.empty()) c.rows.push_back(std::move(linear));
}

void CheckNotAllFailed(const Comparison& c) {
  const auto failed = [](const CompareRow& row) {
    return row.failed == static_cast<int>(row.runs.size());
  };
  if (!std::ranges::all_of(c.rows, failed)) return;
  Fail("every run failed; the first, ", c.rows.front().system.name, " seed ", c.seeds.front(), ": ",
       c.rows.front().runs.front().error);
}

}  // namespace

bool Comparison::IsBest(const CompareRow& row) const {
  return row.test.count > 0 && std::ranges::none_of(rows, [&](const CompareRow& other) {
           return other.test.count > 0 &&
                  MetricDirection(metric) * (other.test.median - row.test.median) > 0;
         });
}

std::vector<CompareSystem> CheckComparison(const CompareOptions& options) {
  CheckCanTrain();
  std::vector<CompareSystem> systems = MakeSystems(options);
  CompareFolder(options.folder).CheckFits(PlanJson(options, systems));
  return systems;
}

Comparison Compare(const TrainData& data, const CompareOptions& options,
                   CompareObserver* observer) {
  const std::vector<CompareSystem> systems = CheckComparison(options);
  CompareWatch watch(observer);
  Comparison comparison = Start(data, options, systems, watch);
  auto plan = PlanJson(options, systems);
  plan["data"] = comparison.data;
  const std::string fingerprint = Fingerprint(data);
  plan["data"]["fingerprint"] = fingerprint;
  CompareFolder folder(options.folder);
  folder.Begin(plan);
  CompareRuns(data, options, folder, fingerprint, watch, comparison).Train();
  for (CompareRow& row : comparison.rows) Summarize(row);
  CheckNotAllFailed(comparison);
  AddLinear(comparison);
  folder.WriteTables(comparison);
  return comparison;
}

}  // namespace gopnet

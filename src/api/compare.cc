#include "gopnet/compare.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "compare/compare_folder.h"
#include "compare/compare_runs.h"
#include "compare/compare_systems.h"
#include "compare/compare_watch.h"
#include "ranks/ranks_impl.h"
#include "run/fingerprint.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

// The measure of the table: the one that chooses networks if greater is better, or the usual one.
std::string TableMetric(const Params& params, Task task) {
  const std::string metric = params.Has("metric") ? params.values().at("metric") : "auto";
  if (metric != "auto" && metric != "loss" && metric != "mse" && metric != "brier") return metric;
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
  const Prepared p = Prepare(data, ReadConfig<CommonConfig>(values), false, IsEnsemble(values), rt);
  Check(p.test.size() > 0, "compare: no test rows; a test set or test_split is wanted");
  return {{"train", static_cast<long>(p.problem.train.size())},
          {"val", static_cast<long>(p.problem.val.size())},
          {"test", static_cast<long>(p.test.size())},
          {"features", static_cast<long>(p.problem.train.x.cols())},
          {p.problem.task == Task::kClassification ? "classes" : "targets",
           static_cast<long>(p.problem.outputs)}};
}

Comparison Start(const TrainData& data, const CompareOptions& options,
                 const std::vector<CompareSystem>& systems, CompareWatch& watch) {
  Comparison c;
  c.metric = TableMetric(options.params, data.train.task);
  c.task = data.train.task == Task::kClassification ? "classification" : "regression";
  c.threads = CompareThreads(options);
  if (options.ranks != nullptr)
    c.threads = options.ranks->size() * options.ranks->impl().Threads(RequestedThreads(options));
  c.seeds = CompareSeeds(options);
  for (const CompareSystem& system : systems) c.rows.emplace_back().system = system;
  c.data = CheckData(data, systems.front(), c.seeds.front(), watch);
  return c;
}

Spread SpreadOf(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  const double median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  return {static_cast<int>(n), median, values.front(), values.back()};
}

void Summarize(CompareRow& row) {
  std::vector<double> test, val, layers, parameters, seconds_per_layer, seconds;
  for (const CompareRun& run : row.runs) {
    if (!run.error.empty()) {
      ++row.failed;
      continue;
    }
    if (run.test) test.push_back(*run.test);
    if (run.val) val.push_back(*run.val);
    layers.push_back(static_cast<double>(run.widths.size()));
    parameters.push_back(static_cast<double>(run.parameters));
    seconds_per_layer.push_back(run.seconds_per_layer);
    seconds.push_back(run.seconds);
  }
  row.test = SpreadOf(test);
  row.val = SpreadOf(val);
  row.layers = SpreadOf(layers);
  row.parameters = SpreadOf(parameters);
  row.seconds_per_layer = SpreadOf(seconds_per_layer);
  row.seconds = SpreadOf(seconds);
}

// The linear model beside which every run measured itself, as a row of its own: of each seed once.
void AddLinear(Comparison& c) {
  CompareRow linear;
  linear.system.name = linear.system.algorithm = "linear";
  std::vector<double> test;
  for (size_t s = 0; s < c.seeds.size(); ++s) {
    for (const CompareRow& row : c.rows) {
      if (!row.runs[s].linear) continue;
      CompareRun run;
      run.seed = c.seeds[s];
      run.test = row.runs[s].linear;
      test.push_back(*run.test);
      linear.runs.push_back(run);
      break;
    }
  }
  linear.test = SpreadOf(test);
  if (!test.empty()) c.rows.push_back(std::move(linear));
}

void CheckNotAllFailed(const Comparison& c) {
  const auto failed = [](const CompareRow& row) {
    return row.failed == static_cast<int>(row.runs.size());
  };
  if (!std::all_of(c.rows.begin(), c.rows.end(), failed)) return;
  Fail("every run failed; the first, ", c.rows.front().system.name, " seed ", c.seeds.front(), ": ",
       c.rows.front().runs.front().error);
}

}  // namespace

bool Comparison::IsBest(const CompareRow& row) const {
  return row.test.count > 0 && std::none_of(rows.begin(), rows.end(), [&](const CompareRow& other) {
           return other.test.count > 0 && other.test.median > row.test.median;
         });
}

std::vector<CompareSystem> CheckComparison(const CompareOptions& options) {
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

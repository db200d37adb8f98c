#include "compare/compare_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/check.h"
#include "base/checksum.h"
#include "base/files.h"
#include "base/parse_json.h"
#include "base/threads.h"
#include "compare/compare_systems.h"
#include "gopnet/run.h"
#include "run/json_values.h"
#include "run/run_folder.h"
#include "run/run_results.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr char kPlan[] = "compare.json";

std::optional<double> Number(const Json& metrics, const std::string& metric) {
  const auto it = metrics.find(metric);
  return it != metrics.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

}  // namespace

void ReadMetrics(const Json& metrics, const std::string& metric, CompareRun& run) {
  run.seed = static_cast<unsigned long long>(WholeNumber(metrics.at("seed")));
  run.test = Number(metrics.at("metrics").at("test"), metric);
  run.val = Number(metrics.at("metrics").at("val"), metric);
  const Json yardsticks = metrics.value("yardsticks", Json::object());
  run.linear = Number(yardsticks.value("linear", Json::object()), metric);
  run.parameters = WholeNumber(metrics.at("parameters"));
  run.seconds = metrics.at("seconds").at("total");
  double seconds = 0;
  for (const Json& layer : metrics.at("layers")) {
    const auto dims = static_cast<int>(WholeNumber(layer.at("memory").at("dims")));
    run.widths.push_back(static_cast<int>(WholeNumber(layer.at("units"))) + dims);
    seconds += layer.at("search").at("seconds").get<double>();
  }
  const Json& rejected = metrics.at("rejected");
  if (!rejected.is_null()) seconds += rejected.at("search").at("seconds").get<double>();
  const size_t layers = run.widths.size() + (rejected.is_null() ? 0 : 1);
  run.seconds_per_layer = seconds / static_cast<double>(std::max<size_t>(layers, 1));
}

Json PlanJson(const CompareOptions& options, const std::vector<CompareSystem>& systems) {
  Json plan{{"version", GOPNET_VERSION},
            {"simd", UseSimd()},
            {"threads", ThreadCount(RequestedThreads(options))},
            {"runs", options.runs},
            {"seed", CompareSeeds(options).front()},
            {"source", options.source},
            {"given",  // for ReadComparison
             {{"algorithms", options.algorithms},
              {"resplit", options.resplit},
              {"parameters", options.params.values()}}},
            {"systems", Json::object()}};
  for (const CompareSystem& system : systems) {
    Json json{{"algorithm", system.algorithm}};
    if (!system.topology_of.empty()) json["topology_of"] = system.topology_of;
    json["parameters"] = ValuesJson(system.algorithm, SystemValues(system));
    plan["systems"][system.name] = json;
  }
  return plan;
}

bool HoldsComparison(const std::string& folder) {
  std::error_code ignored;
  return fs::is_regular_file(InFolder(folder, kPlan), ignored);
}

CompareOptions ReadComparison(const std::string& folder) {
  const std::string path = InFolder(folder, kPlan);
  try {
    const Json plan = ReadObject(path);
    const Json& given = plan.at("given");
    CompareOptions options;
    options.algorithms = given.at("algorithms").get<std::vector<std::string>>();
    options.runs = static_cast<int>(WholeNumber(plan.at("runs")));
    options.resplit = given.at("resplit");
    for (const auto& [name, value] : given.at("parameters").items())
      options.params.Set(name, value.get<std::string>());
    options.folder = folder;
    options.source = plan.at("source").get<std::map<std::string, std::string>>();
    return options;
  } catch (const Json::exception&) {
    Fail(path, ": damaged, or not the plan of a comparison");
  }
}

void CompareFolder::CheckFits(const Json& plan) const {
  const std::string file = InFolder(path_, kPlan);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return CheckRunFolder(path_);
  Json was = ReadObject(file), now = plan;
  Check(was.is_object(), file, ": damaged (not a JSON object); choose another folder");
  Check(SealProblem(was).empty(), file, ": ", SealProblem(was), "; choose another folder");
  was.erase("checksum");
  if (!now.contains("data")) was.erase("data");
  Check(was.contains("runs") && was["runs"].is_number_integer(), file,
        ": damaged (the number of runs is missing); choose another folder");
  const int runs = was["runs"], requested = now["runs"];
  Check(runs <= requested, path_, ": holds a comparison of ", runs, " runs; got --runs ", requested,
        "; use --runs ", runs, " or more, or choose another folder");
  for (const char* free : {"simd", "threads", "runs", "given"}) {
    was.erase(free);
    now.erase(free);
  }
  const std::string difference = Difference(was, now, "", "systems");
  Check(difference.empty(), path_, ": holds another comparison: ", difference,
        "; choose another folder");
}

void CompareFolder::Begin(const Json& plan) {
  std::error_code error;
  fs::create_directories(path_, error);
  Check(!error, path_, ": cannot create the folder: ", error.message());
  Lock();
  CheckFits(plan);
  RemoveTemporaries(Folder(path_, /*follow=*/true), /*own=*/true);
  Write(kPlan, JsonText(Sealed(plan), 2) + "\n");
}

// Two comparisons in one folder would clear away each other's unfinished runs. The lock goes with
// the process, however that ends; where the file system has none we do without.
void CompareFolder::Lock() {
  const int fd = lock_.emplace(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)).fd;
  const bool taken = fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  Check(!taken, path_, ": another comparison is writing to this folder");
}

std::string CompareFolder::RunPath(const CompareSystem& system, unsigned long long seed) const {
  std::string name = system.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  if (name.back() == '*') name.replace(name.size() - 1, 1, "-star");
  return InFolder(path_, Join(name, "-", seed));
}

std::string CompareFolder::Unfit(const std::string& run_path, const std::string& algorithm,
                                 const Values& values, const std::string& part_of) {
  for (const char* name : {kConfig, kJournal, kCheckpoint, kModelFile, kMetricsFile}) {
    std::error_code ignored;
    if (fs::is_symlink(InFolder(run_path, name), ignored)) return Join(name, " is a link");
  }
  Json was = ReadObject(InFolder(run_path, kConfig));
  if (!SealProblem(was).empty()) return Join(kConfig, ": ", SealProblem(was));
  was = Fixed(std::move(was));
  was.erase("data");  // they are named by part_of
  Json now = Fixed({{"version", GOPNET_VERSION},
                    {"algorithm", algorithm},
                    {"parameters", ValuesJson(algorithm, values)},
                    {"part_of", part_of}});
  for (const auto& [name, value] : values) {  // what fits itself to the rows: part_of has it
    if (value != "auto") continue;
    now["parameters"].erase(name);
    if (was.contains("parameters") && was["parameters"].is_object()) was["parameters"].erase(name);
  }
  const std::string difference = Difference(was, now);
  if (difference.starts_with("part_of"))
    return "its system, rows, parameters or gopnet build differ";
  if (!difference.empty() || !IsFinished(run_path)) return difference;
  for (const auto& [file, problem] : Verify(run_path)) {
    const std::string name = fs::path(file).filename().string();
    const bool telling = name.ends_with(".csv") || name == kReportFile;  // of the result, no part
    if (!problem.empty() && !telling) return Join(name, ": ", problem);
  }
  return "";
}

std::string CompareFolder::PartOf(const CompareSystem& system, Values values,
                                  const std::string& fingerprint) {
  values.erase("threads");
  const Json given{{"system", system.name}, {"rows", fingerprint}, {"parameters", values}};
  return Checksum(JsonText(given));
}

std::string CompareFolder::SetAside(const std::string& run_path) {
  std::error_code error;
  for (int n = 1;; ++n) {
    const std::string free = Join(run_path, kSetAside, n);
    if (fs::exists(fs::symlink_status(free, error))) continue;
    fs::rename(run_path, free, error);
    if (error) FailToWrite(free, error.value());
    return free;
  }
}

std::optional<CompareRun> CompareFolder::ReadRun(const std::string& run_path,
                                                 const std::string& metric) {
  std::error_code ignored;
  if (!fs::exists(InFolder(run_path, kModelFile), ignored)) return std::nullopt;
  try {
    const Json config = ReadObject(InFolder(run_path, kConfig));
    CompareRun run;
    run.folder = run_path;
    run.threads = static_cast<int>(WholeNumber(config.at("parameters").at("threads")));
    ReadMetrics(ReadObject(InFolder(run_path, kMetricsFile)), metric, run);
    return run;
  } catch (const Json::exception&) {  // cut short or missing: not finished
    return std::nullopt;
  }
}

void CompareFolder::WriteTables(const Comparison& comparison) const {
  const std::string csv = ToCsv(comparison), markdown = ToMarkdown(comparison);
  Json table = ParseJson<Json>(ToJson(comparison));
  table["files"] = {{"table.csv", Checksum(csv)}, {"table.md", Checksum(markdown)}};
  for (const CompareRow& row : comparison.rows) {
    for (const CompareRun& run : row.runs) {
      if (run.folder.empty() || !run.error.empty()) continue;  // none: the linear model
      const fs::path model = fs::path(run.folder).filename() / kModelFile;
      const std::string path = (path_ / model).string();
      std::error_code ignored;
      if (fs::is_regular_file(path, ignored))
        table["files"][model.string()] = Checksum(FileMap(path).bytes());
    }
  }
  Write("table.json", JsonText(Sealed(std::move(table)), 2) + "\n");
  Write("table.csv", csv);
  Write("table.md", markdown);
}

void CompareFolder::Write(const std::string& name, const std::string& text) const {
  WriteFileAtomically(InFolder(path_, name), text);
}

}  // namespace gopnet

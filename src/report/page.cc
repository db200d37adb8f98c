// Fills the template of the page with the contents of a run folder or a comparison folder.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/parse_json.h"
#include "export/templates.h"
#include "gopnet/compare.h"
#include "gopnet/report_page.h"
#include "report/parts.h"
#include "run/json_values.h"
#include "run/run_folder.h"
#include "run/run_results.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr size_t kMaxColumns = 2000;
constexpr size_t kMaxText = size_t{1} << 20;  // bytes of a file that gopnet did not write

bool Exists(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The text of a small file, or null.
Json SmallText(const std::string& path) {
  if (!Exists(path)) return nullptr;
  const FileMap file(path);
  return file.bytes().size() > kMaxText ? Json() : Json(std::string(file.bytes()));
}

Json ColumnsOf(const Schema& schema) {
  Json columns = Json::array();
  for (const Column& column : schema.columns) {
    if (columns.size() == kMaxColumns) break;
    const bool text = !column.categories.empty() || column.other;
    columns.push_back({{"name", column.name},
                       {"kind", !column.date.empty() ? "date"
                                : text               ? "category"
                                                     : "number"},
                       {"categories", column.categories.size()}});
  }
  return columns;
}

// Adds the finished network, or the best so far. Skips a file that is not a model.
void AddModel(const std::string& folder, Json& json) {
  for (const char* name : {kModelFile, kCheckpoint}) {
    const std::string path = InFolder(folder, name);
    if (!Exists(path)) continue;
    try {
      const Model model = Model::Load(path);
      json["model"] = ParseJson<Json>(model.Json());
      json["model"].erase("features");  // "columns" has them
      json["model"].erase("settings");  // "config" has them
      json["columns"] = ColumnsOf(model.schema());
      return;
    } catch (const Error&) {
    }
  }
}

Json OperatorsJson() {
  Json json = Json::array();
  for (const OperatorInfo& op : Operators()) {
    json.push_back(
        {{"kind", op.kind}, {"name", op.name}, {"formula", op.formula}, {"in_paper", op.in_paper}});
  }
  return json;
}

// A run as in the table of a comparison, from its folder <system>-<seed>.
Json RunOfTable(const std::string& folder) {
  const Json metrics = ReadObject(InFolder(folder, kMetricsFile));
  if (!metrics.is_object()) return nullptr;
  const Json parts = metrics.value("metrics", Json::object());
  const char* metric = metrics.value("task", "") == "regression" ? "r2" : "accuracy";
  const auto of = [&](const char* part) {
    return parts.value(part, Json::object()).value(metric, Json());
  };
  return {{"seed", metrics.value("seed", Json())},
          {"test", of("test")},
          {"val", of("val")},
          {"layers", metrics.value("layers", Json::array()).size()},
          {"parameters", metrics.value("parameters", Json())},
          {"seconds", metrics.value("seconds", Json::object()).value("total", Json())},
          {"metric", metric}};
}

Json TableOfRuns(const std::string& folder) {
  std::map<std::string, Json> systems;
  std::string metric;
  for (const auto& item : fs::directory_iterator(folder)) {
    const std::string path = item.path().string();
    std::error_code ignored;
    if (!item.is_directory(ignored) || IsSetAside(path) || !IsFinished(path)) continue;
    const std::string name = item.path().filename().string();
    Json run = RunOfTable(path);
    if (!run.is_object()) continue;
    metric = run["metric"];
    const auto [place, first] =
        systems.try_emplace(name.substr(0, name.rfind('-')), Json::object());
    Json& system = place->second;
    if (first) system["runs"] = Json::array();
    system["runs"].push_back(std::move(run));
  }
  Json table{{"metric", metric}, {"systems", Json::array()}};
  for (auto& [name, system] : systems) {
    system["system"] = name;
    table["systems"].push_back(system);
  }
  return table;
}

// The data of a run; missing parts are null.
Json GatherRun(const std::string& folder) {
  const Json config = ReadObject(InFolder(folder, kConfig));
  Check(config.is_object(), InFolder(folder, kConfig), ": is damaged or not the config of a run");
  const Json metrics = ReadObject(InFolder(folder, kMetricsFile));
  Json json{{"kind", "run"},
            {"finished", IsFinished(folder)},
            {"config", config},
            {"metrics", metrics},
            {"model", nullptr},
            {"columns", nullptr},
            {"journal", ReadSearches(InFolder(folder, kJournal))},
            {"report", ReadObject(InFolder(folder, kReportFile))},
            {"importance", SmallText(InFolder(folder, "importance.csv"))},
            {"operators", OperatorsJson()},
            // Only for a run that ended: it takes long, and a live page asks every second.
            {"command", metrics.is_object() ? CommandOf(config) : ""}};
  AddModel(folder, json);
  return json;
}

// The data of a comparison. Until there is a table, the finished runs make one.
Json GatherComparison(const std::string& folder) {
  const Json table = ReadObject(InFolder(folder, "table.json"));
  const Json plan = ReadObject(InFolder(folder, "compare.json"));
  return {{"kind", "compare"},
          {"finished", table.is_object()},
          {"plan", plan},
          {"command", CompareCommandOf(plan)},
          {"table", table.is_object() ? table : TableOfRuns(folder)}};
}

}  // namespace

std::string ReportData(const std::string& folder) try {
  Check(!folder.empty(), "run folder: the name must not be empty");
  const bool comparison = HoldsComparison(folder);
  Check(comparison || HoldsRun(folder), folder,
        ": is not a run or a comparison (it has no config.json and no compare.json)");
  Json json = comparison ? GatherComparison(folder) : GatherRun(folder);
  const auto path = fs::absolute(folder).lexically_normal();
  json["name"] = (path.has_filename() ? path : path.parent_path()).filename().string();
  json["version"] = Version();
  return JsonText(json, -1, Json::error_handler_t::replace);
} catch (const Json::exception&) {
  Fail(folder, ": its files are damaged or from another version");
}

std::string ReportPageOf(std::string data, bool live) {
  if (live) data.insert(1, "\"live\":true,");
  return FilledIn(kReportTemplate,
                  {{"{{CONNECT}}", live ? "'self'" : "'none'"}, {"{{DATA}}", JsonInScript(data)}});
}

std::string ReportPage(const std::string& folder, bool live) {
  return ReportPageOf(ReportData(folder), live);
}

void WriteReport(const std::string& folder) {
  WriteFileAtomically(InFolder(folder, "report.html"), ReportPage(folder));
}

}  // namespace gopnet

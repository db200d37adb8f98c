#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/parse_json.h"
#include "export/templates.h"
#include "gopnet/compare.h"
#include "gopnet/report_page.h"
#include "report/gather.h"
#include "run/run_folder.h"

namespace gopnet {

std::string ReportData(const std::string& folder) try {
  Check(!folder.empty(), "run folder: an empty name given");
  const bool comparison = HoldsComparison(folder);
  Check(comparison || HoldsRun(folder), folder,
        ": no run and no comparison was begun there (it has no config.json and no compare.json)");
  nlohmann::ordered_json json = comparison ? GatherComparison(folder) : GatherRun(folder);
  const auto path = std::filesystem::absolute(folder).lexically_normal();
  json["name"] = (path.has_filename() ? path : path.parent_path()).filename().string();
  json["version"] = Version();
  return JsonText(json, -1, nlohmann::ordered_json::error_handler_t::replace);
} catch (const nlohmann::ordered_json::exception&) {
  Fail(folder, ": its files are damaged, or of another version");
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
  WriteFileAtomically((std::filesystem::path(folder) / "report.html").string(), ReportPage(folder));
}

}  // namespace gopnet

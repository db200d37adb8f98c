#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/parse_json.h"
#include "gopnet/compare.h"
#include "gopnet/report_page.h"
#include "report/gather.h"
#include "report/template.h"
#include "run/run_folder.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

void Replace(std::string& text, const std::string& place, const std::string& by) {
  text.replace(text.find(place), place.size(), by);
}

}  // namespace

std::string ReportData(const std::string& folder) try {
  Check(!folder.empty(), "run folder: an empty name given");
  const bool comparison = HoldsComparison(folder);
  Check(comparison || HoldsRun(folder), folder,
        ": no run and no comparison was begun there (it has no config.json and no compare.json)");
  Json json = comparison ? GatherComparison(folder) : GatherRun(folder);
  const auto path = std::filesystem::absolute(folder).lexically_normal();
  json["name"] = (path.has_filename() ? path : path.parent_path()).filename().string();
  json["version"] = Version();
  return JsonText(json, -1, Json::error_handler_t::replace);
} catch (const Json::exception&) {
  Fail(folder, ": its files are damaged, or of another version");
}

std::string ReportPageOf(std::string data, bool live) {
  if (live) data.insert(1, "\"live\":true,");
  std::string page = kReportTemplate;
  Replace(page, "{{CONNECT}}", live ? "'self'" : "'none'");
  Replace(page, "{{DATA}}", JsonInScript(data));
  return page;
}

std::string ReportPage(const std::string& folder, bool live) {
  return ReportPageOf(ReportData(folder), live);
}

void WriteReport(const std::string& folder) {
  WriteFileAtomically((std::filesystem::path(folder) / "report.html").string(), ReportPage(folder));
}

}  // namespace gopnet

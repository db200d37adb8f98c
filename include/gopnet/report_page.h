// The report: one self-contained HTML page about a run folder or a comparison folder.
#pragma once

#include <string>

namespace gopnet {

// Everything that the page shows, as one JSON object. Also works for a run in progress: it uses the
// files that exist. Throws Error if the folder holds neither a run nor a comparison.
std::string ReportData(const std::string& folder);

// The page, with the data in it. A live page fetches newer data from "data.json" until the run is
// finished.
std::string ReportPage(const std::string& folder, bool live = false);

// The same page from data that need not come from a folder.
std::string ReportPageOf(std::string data, bool live = false);

// Writes report.html into the folder, atomically; replaces an earlier one.
void WriteReport(const std::string& folder);

}  // namespace gopnet

// A run folder, or the folder of a comparison, as a page for people: one HTML file that needs
// nothing else.
#pragma once

#include <string>

namespace gopnet {

// Everything that the page shows, as one JSON object: the files of the folder as far as they are
// there, so also of a run that goes on. Throws Error if there is neither run nor comparison.
std::string ReportData(const std::string& folder);

// The page, with the data in it. A live one asks "data.json" beside it for newer data until the run
// is finished.
std::string ReportPage(const std::string& folder, bool live = false);

// The same from the data alone, which need not be of a folder.
std::string ReportPageOf(std::string data, bool live = false);

// Writes report.html into the folder, atomically, over an earlier one.
void WriteReport(const std::string& folder);

}  // namespace gopnet

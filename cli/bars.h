// Pictures made of letters.
#pragma once

#include <string>

namespace gopnet::cli {

// Score per layer or network and the best operator sets of each search, from ReportData, as bars
// of at most that many columns.
std::string RunPictures(const std::string& report_data, size_t width);

}  // namespace gopnet::cli

// Pictures made of letters, as wide as the terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gopnet::cli {

struct Bar {
  std::string name;
  double value = 0;
  bool valid = true;  // false: it has no value, and no bar
  std::string note = "";
};

// A line each: name, bar, value, note. Bars start at `from`, so that small differences show; of
// equal or no values all are full.
std::string BarChart(const std::vector<Bar>& bars, double from, size_t width);

size_t TerminalWidth();  // of stdout; 80 if it is none

// Score per layer or network and the best operator sets of each search, from ReportData.
std::string RunPictures(const std::string& report_data, size_t width);

}  // namespace gopnet::cli

// In which order a column of texts has day, month and year.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/table.h"

namespace gopnet {

using Counts = std::unordered_map<std::string_view, size_t>;  // of the texts of a column

Counts CountTexts(const Texts& text);  // those that are not missing
// Nearly all of the fields decide what a column holds.
inline bool IsMost(size_t part, size_t whole) {
  return static_cast<double>(part) >= 0.95 * static_cast<double>(whole);
}

// The orders in which all texts that are dates in some order are dates, if these are most of the
// texts; if there is none, those in which most of the texts are. `digits`: 20200131 may be a date.
std::vector<std::string> OrdersOf(const Counts& counts, bool digits);
// One of these texts that is a date in either order, as an example.
std::string_view DateOfTwoOrders(const Counts& counts, const std::vector<std::string>& orders);

}  // namespace gopnet

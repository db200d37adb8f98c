// Parses dates in common notations and encodes them as numbers.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gopnet/dataset.h"

namespace gopnet {

struct Moment {
  int year = 0, month = 0;  // month from 1
  int weekday = 0;          // 1 is Monday, 7 Sunday
  double hour = 0;          // of the day, with its fraction
  double days = 0;          // since 1970, with their fraction
  bool has_time = false;
};

// Parses 9:15, 10:00:00.5, 1:23.5 (minutes) or 10:00 PM at the front as a number of hours, at most
// `most`. 0:05 AM is not a time of a date.
bool TakeClock(std::string_view* text, int most, double* hours);

// 2020-01-31, 31.12.2020, 12/31/20, 31-Jan-2020, 31JAN2020, Jan 31, 2020, 20200131 (order ymd),
// 2020-01 (its first day), also with a time of day after a blank, T or a colon: 10:00, 10:00:00.5,
// 10:00:00Z, 10:00 PM; a time zone is not taken into account. Years of two digits are 1969 to 2068.
// False: it is no date of that order ("ymd", "dmy", "mdy").
bool ParseDate(std::string_view field, std::string_view order, Moment* moment);

// The same for new rows: 2020-01-31 is clear whatever the order was in training.
bool ParseNewDate(std::string_view field, std::string_view order, Moment* moment);

inline constexpr std::string_view kDateOrders[] = {"ymd", "dmy", "mdy"};
bool IsDateOrder(std::string_view order);
std::string WithoutDateOrder(const std::string& name);  // "day:dmy" -> "day"
// A date in any order. Digits only are not a date: they are numbers unless an option says so.
bool LooksLikeDate(std::string_view field);

// A date with a month's name that gopnet does not know: 12 mai 2021.
bool NamesMonth(std::string_view text);

using Counts = std::unordered_map<std::string_view, size_t>;  // of the texts of a column
// The orders in which all texts that are dates in some order are dates, if these are most of the
// texts; if there is none, those in which most of the texts are. `digits`: 20200131 may be a date.
std::vector<std::string> OrdersOf(const Counts& counts, bool digits);
// One of these texts that is a date in either order, as an example.
std::string_view DateOfTwoOrders(const Counts& counts, const std::vector<std::string>& orders);

// The features of a date column: year, month, weekday, hour (if it has hours), days since the
// first date of the training rows. All are NaN where there is no date.
size_t DateFeatures(const Column& column);
std::vector<std::string> DateFeatureNames(const Column& column);
void EncodeDate(const Moment& moment, const Column& column, float* out);

}  // namespace gopnet

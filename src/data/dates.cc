#include "data/dates.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/check.h"
#include "data/field.h"

namespace gopnet {
namespace {

// Takes a whole number of `least` to `most` digits from the front.
bool TakeNumber(std::string_view* text, size_t least, size_t most, int* value) {
  size_t digits = 0;
  while (digits < text->size() && digits < most && (*text)[digits] >= '0' && (*text)[digits] <= '9')
    ++digits;
  if (digits < least) return false;
  std::from_chars(text->data(), text->data() + digits, *value);
  text->remove_prefix(digits);
  return true;
}

bool TakeLetter(std::string_view* text, char letter) {
  if (!text->starts_with(letter)) return false;
  text->remove_prefix(1);
  return true;
}

// Three numbers with -, / or . between them; or eight digits.
bool TakeParts(std::string_view* text, std::string_view order, int (&parts)[3]) {
  char between = 0;
  for (size_t k = 0; k < 3; ++k) {
    const bool year = order[k] == 'y';
    if (k > 0 && between != 0 && !TakeLetter(text, between)) return false;
    if (!TakeNumber(text, year ? 4 : between == 0 && k > 0 ? 2 : 1, year ? 4 : 2, &parts[k]))
      return false;
    if (k > 0 || text->empty()) continue;
    const char next = text->front();
    if (next == '-' || next == '/' || next == '.') between = next;
    if (between == 0 && order != "ymd") return false;
  }
  return true;
}

// "T10:00:00.5+01:00", " 10:00" or nothing.
bool TakeTime(std::string_view text, Moment* moment) {
  if (text.empty()) return true;
  if (!TakeLetter(&text, 'T') && !TakeLetter(&text, ' ')) return false;
  text = TrimSpaces(text);
  int hour = 0, minute = 0, second = 0;
  if (!TakeNumber(&text, 1, 2, &hour) || !TakeLetter(&text, ':') ||
      !TakeNumber(&text, 2, 2, &minute))
    return false;
  if (TakeLetter(&text, ':') && !TakeNumber(&text, 2, 2, &second)) return false;
  if (TakeLetter(&text, '.')) {
    int fraction = 0;
    while (TakeNumber(&text, 1, 9, &fraction)) {
    }
  }
  if (!TakeLetter(&text, 'Z') && (text.starts_with('+') || text.starts_with('-')))
    text = text.substr(std::min(text.size(), text.find_first_not_of("+-0123456789:")));
  moment->hour = hour + minute / 60.0 + second / 3600.0;
  moment->has_time = true;
  return text.empty() && hour < 24 && minute < 60 && second < 61;
}

}  // namespace

bool ParseDate(std::string_view field, std::string_view order, Moment* moment) {
  using namespace std::chrono;  // NOLINT
  *moment = {};
  field = TrimSpaces(field);
  int parts[3] = {};
  if (!TakeParts(&field, order, parts) || !TakeTime(field, moment)) return false;
  const auto part = [&](char letter) { return parts[order.find(letter)]; };
  const year_month_day day(year(part('y')), month(static_cast<unsigned>(part('m'))),
                           std::chrono::day(static_cast<unsigned>(part('d'))));
  if (!day.ok()) return false;
  moment->year = part('y');
  moment->month = part('m');
  moment->weekday = static_cast<int>(weekday(sys_days(day)).iso_encoding());
  moment->days = static_cast<double>(sys_days(day).time_since_epoch().count()) + moment->hour / 24;
  return true;
}

bool IsDateOrder(std::string_view order) {
  return std::find(std::begin(kDateOrders), std::end(kDateOrders), order) != std::end(kDateOrders);
}

std::string WithoutDateOrder(const std::string& name) {
  const size_t colon = name.rfind(':');
  const bool has = colon != std::string::npos && IsDateOrder(name.substr(colon + 1));
  return has ? name.substr(0, colon) : name;
}

bool LooksLikeDate(std::string_view field) {
  if (field.size() < 8 || field.find_first_not_of("0123456789") == std::string_view::npos)
    return false;
  Moment ignored;
  return std::any_of(std::begin(kDateOrders), std::end(kDateOrders),
                     [&](std::string_view order) { return ParseDate(field, order, &ignored); });
}

size_t DateFeatures(const Column& column) { return column.hours ? 5 : 4; }

std::vector<std::string> DateFeatureNames(const Column& column) {
  std::vector<std::string> names;
  for (const char* part : {"year", "month", "weekday", "hour", "days"}) {
    if (column.hours || std::string_view(part) != "hour")
      names.push_back(Join(column.name, " ", part));
  }
  return names;
}

void EncodeDate(const Moment& moment, const Column& column, float* out) {
  *out++ = static_cast<float>(moment.year);
  *out++ = static_cast<float>(moment.month);
  *out++ = static_cast<float>(moment.weekday);
  if (column.hours) *out++ = static_cast<float>(moment.hour);
  *out = static_cast<float>(moment.days - column.offset);
}

}  // namespace gopnet

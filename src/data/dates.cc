#include "data/dates.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"

namespace gopnet {
namespace {

// Takes a whole number of `least` to `most` digits from the front.
bool TakeNumber(std::string_view* text, size_t least, size_t most, int* value) {
  const std::string_view front = text->substr(0, most);
  const size_t digits = std::min(front.find_first_not_of("0123456789"), front.size());
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

// Jan, January or their like from the front.
bool TakeMonthName(std::string_view* text, int* month) {
  static constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                                 "may",       "june",     "july",     "august",
                                                 "september", "october",  "november", "december"};
  size_t letters = 0;
  while (letters < text->size() && std::isalpha(static_cast<unsigned char>((*text)[letters])))
    ++letters;
  const std::string word = Lowered(text->substr(0, letters));
  for (int k = 0; k < 12; ++k) {
    if (letters < 3 || !kMonths[k].starts_with(word)) continue;
    *month = k + 1;
    text->remove_prefix(letters);
    return true;
  }
  return false;
}

// Takes the separator between parts of a date; `between` is the one between the first two.
bool TakeBetween(std::string_view* text, char between) {
  if (between == 0) return true;
  if (between == ' ') TakeLetter(text, ',');  // Jan 31, 2020
  return TakeLetter(text, between);
}

// Day, month and year with -, / or . (by a month's name also a blank) between them; eight digits;
// or year and month.
class DateParts {
 public:
  DateParts(std::string_view text, std::string_view order) : text_(text), order_(order) {}

  bool Take(int (&parts)[3]) {
    for (size_t k = 0; k < 3; ++k) {
      if (k == 2 && order_ == "ymd" && between_ == '-' && text_.empty()) {
        parts[2] = 1;
        return parts[0] >= 1900 && parts[0] <= 2100;  // 2545-03 is the number of a part
      }
      if (k > 0 && !TakeBetween(&text_, between_)) return false;
      if (!TakePart(order_[k], k, &parts[k])) return false;
      if (k == 0 && !text_.empty() && !FindBetween()) return false;
    }
    return between_ != ' ' || by_name_;
  }
  std::string_view rest() const { return text_; }

 private:
  bool TakePart(char part, size_t k, int* value) {
    if (part == 'y') return TakeYear(value);
    if (part == 'm' && TakeMonthName(&text_, value)) return by_name_ = true;
    const size_t before = text_.size();
    if (!TakeNumber(&text_, between_ == 0 && k > 0 ? 2 : 1, 2, value)) return false;
    short_part_ |= before - text_.size() < 2;
    return true;
  }

  // 31.1.20 may be the number of a version; 1/31/20 is a date.
  bool TakeYear(int* year) {
    if (TakeNumber(&text_, 4, 4, year)) return true;
    const bool clear = by_name_ || between_ == '/' || (between_ != 0 && !short_part_);
    if (order_ == "ymd" || !clear || !TakeNumber(&text_, 2, 2, year)) return false;
    *year += *year < 69 ? 2000 : 1900;
    return text_.empty() || text_.front() == ' ';
  }

  bool FindBetween() {
    const char next = text_.front();
    if (next == '-' || next == '/' || next == '.' || next == ' ') between_ = next;
    const bool name = std::isalpha(static_cast<unsigned char>(next)) != 0;  // 31JAN2020
    return between_ != 0 || order_ == "ymd" || name;
  }

  std::string_view text_, order_;
  char between_ = 0;
  bool by_name_ = false;     // the month is
  bool short_part_ = false;  // a day or month of one digit
};

// ".5" from the front; 0 if there is none.
double TakeFraction(std::string_view* text) {
  if (!text->starts_with('.')) return 0;
  const size_t end = std::min(text->size(), text->find_first_not_of("0123456789", 1));
  double fraction = 0;
  std::from_chars(text->data(), text->data() + end, fraction);
  text->remove_prefix(end);
  return fraction;
}

// " PM" of an hour up to 12.
bool TakeHalf(std::string_view* text, int* hour) {
  const std::string half = Lowered(TrimSpaces(*text));
  if (half != "am" && half != "pm") return false;
  *text = {};
  *hour = *hour % 12 + (half == "pm" ? 12 : 0);
  return true;
}

// "T10:00:00.5+01:00", " 10:00" or nothing.
bool TakeTime(std::string_view text, Moment* moment) {
  if (text.empty()) return true;
  if (!TakeLetter(&text, 'T') && !TakeLetter(&text, ' ') && !TakeLetter(&text, ':')) return false;
  text = TrimSpaces(text);
  if (!TakeClock(&text, 23, &moment->hour)) return false;
  if (!TakeLetter(&text, 'Z') && (text.starts_with('+') || text.starts_with('-')))
    text = text.substr(std::min(text.size(), text.find_first_not_of("+-0123456789:")));
  moment->has_time = true;
  return text.empty();
}

}  // namespace

bool TakeClock(std::string_view* text, int most, double* hours) {
  int hour = 0, minute = 0, second = 0;
  bool seconds = false;
  if (!TakeNumber(text, 1, most > 99 ? 4 : 2, &hour) || !TakeLetter(text, ':') ||
      !TakeNumber(text, 2, 2, &minute))
    return false;
  if (TakeLetter(text, ':') && !(seconds = TakeNumber(text, 2, 2, &second))) return false;
  const double fraction = TakeFraction(text);
  if (hour <= 12 && (hour > 0 || most > 23)) TakeHalf(text, &hour);
  *hours = hour + (minute + (seconds ? 0 : fraction)) / 60.0 +
           (second + (seconds ? fraction : 0)) / 3600.0;
  return hour <= most && minute < 60 && second < 61;
}

bool ParseDate(std::string_view field, std::string_view order, Moment* moment) {
  using namespace std::chrono;  // NOLINT
  *moment = {};
  field = TrimSpaces(field);
  int parts[3] = {};
  DateParts date(field, order);
  if (!date.Take(parts) || !TakeTime(date.rest(), moment)) return false;
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

bool ParseNewDate(std::string_view field, std::string_view order, Moment* moment) {
  return ParseDate(field, order, moment) ||
         (LooksLikeDate(field) && ParseDate(field, "ymd", moment));
}

bool IsDateOrder(std::string_view order) { return std::ranges::count(kDateOrders, order) > 0; }

std::string WithoutDateOrder(const std::string& name) {
  const size_t colon = name.rfind(':');
  const bool has = colon != std::string::npos && IsDateOrder(name.substr(colon + 1));
  return has ? name.substr(0, colon) : name;
}

bool LooksLikeDate(std::string_view field) {
  if (field.size() < 6 || field.find_first_not_of("0123456789") == std::string_view::npos)
    return false;
  Moment ignored;
  return std::ranges::any_of(
      kDateOrders, [&](std::string_view order) { return ParseDate(field, order, &ignored); });
}

bool NamesMonth(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c & 0x80;
  };
  bool day = false, word = false, year = false;
  while (!text.empty()) {
    const bool digits = digit(text[0]), letters = letter(text[0]);
    size_t size = 1;
    while (size < text.size() && (digits ? digit(text[size]) : letters && letter(text[size])))
      ++size;
    const std::string_view run = text.substr(0, size);
    day |= digits && size <= 2;
    word |= letters && size >= 3;
    year |= digits && size == 4 && (run.starts_with("19") || run.starts_with("20"));
    text.remove_prefix(size);
  }
  return day && word && year;
}

std::vector<std::string> OrdersOf(const Counts& counts, bool digits) {
  constexpr size_t kOrders = std::size(kDateOrders);
  size_t dates[kOrders] = {}, of_order[kOrders] = {};  // 2020-01-31 may be among others
  size_t in_some = 0, all = 0;
  for (const auto& [text, count] : counts) {
    Moment moment;
    if (KindOf(text, NumberStyle()) == FieldKind::kMissing) continue;
    all += count;
    if (!digits && !LooksLikeDate(text)) continue;
    bool some = false;
    for (size_t k = 0; k < kOrders; ++k) {
      const bool date = ParseDate(text, kDateOrders[k], &moment);
      const bool also = date || ParseNewDate(text, kDateOrders[k], &moment);
      of_order[k] += date ? count : 0;
      dates[k] += also ? count : 0;
      some |= also;
    }
    in_some += some ? count : 0;
  }
  std::vector<std::string> whole, most;
  for (size_t k = 0; k < kOrders; ++k) {
    if (of_order[k] == 0 || !IsMost(dates[k], all)) continue;
    most.emplace_back(kDateOrders[k]);
    if (dates[k] == in_some) whole.emplace_back(kDateOrders[k]);
  }
  if (whole.size() == 1) return whole;
  if (!most.empty() && most[0] == "ymd") return {"ymd"};
  return whole.empty() ? most : whole;
}

std::string_view DateOfTwoOrders(const Counts& counts, const std::vector<std::string>& orders) {
  std::string_view found;
  for (const auto& [text, count] : counts) {
    Moment moment;
    if (ParseDate(text, orders[0], &moment) && ParseDate(text, orders[1], &moment))
      found = std::max(found, text);
  }
  return found;
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

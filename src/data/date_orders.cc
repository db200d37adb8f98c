#include "data/date_orders.h"

#include <algorithm>

#include "data/dates.h"
#include "data/field.h"

namespace gopnet {

Counts CountTexts(const Texts& text) {
  Counts counts;
  for (size_t i = 0; i < text.size(); ++i) {
    if (KindOf(text[i]) != FieldKind::kMissing) ++counts[text[i]];
  }
  return counts;
}

std::vector<std::string> OrdersOf(const Counts& counts, bool digits) {
  constexpr size_t kOrders = std::size(kDateOrders);
  size_t dates[kOrders] = {}, of_order[kOrders] = {};  // 2020-01-31 may be among others
  size_t in_some = 0, all = 0;
  for (const auto& [text, count] : counts) {
    double ignored;
    Moment moment;
    if (ParseNumberField(text, {}, &ignored) == FieldKind::kMissing) continue;
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

}  // namespace gopnet

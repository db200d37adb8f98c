#include "train/config.h"

#include <algorithm>

#include "base/check.h"
#include "nn/metric.h"

namespace gopnet {

std::vector<std::string> LossConfig::LossNames() {
  std::vector<std::string> names = {"auto"};
  for (const Loss& each : AllLosses()) names.emplace_back(each.name);
  return names;
}

void LossConfig::Visit(FieldVisitor& v) {
  if (names.size() == 1) loss = names.front();
  v(loss,
    {.name = "loss",
     .choices = names,
     .doc = "Training loss; auto is cross_entropy for classification and mse for regression. huber "
            "counts large errors less; pinball predicts a quantile instead of the mean."});
  for (const Loss& each : AllLosses()) {
    if (!each.parameter || std::ranges::count(names, each.name) == 0) continue;
    const LossParameter& p = *each.parameter;
    v(numbers.try_emplace(p.name, p.value).first->second,
      {.name = p.name, .range = p.range, .doc = p.doc});
  }
}

const Loss& LossConfig::Chosen(Task task) const {
  return loss == "auto" ? UsualLoss(task) : FindLoss(loss);
}

std::shared_ptr<const Objective> LossConfig::Make(Task task) const {
  const Loss& chosen = Chosen(task);
  for (const Loss& other : AllLosses()) {
    const auto number = other.parameter ? numbers.find(other.parameter->name) : numbers.end();
    if (&other == &chosen || number == numbers.end()) continue;
    Check(number->second == other.parameter->value, "parameter ", number->first, ": needs loss ",
          other.name, "; got loss ", loss);
  }
  return chosen.make(chosen.parameter ? numbers.at(chosen.parameter->name) : 0);
}

void DropUnusedNumbers(std::map<std::string, std::string>& values) {
  for (const Loss& loss : AllLosses()) {
    if (!loss.parameter || values.at("loss") == loss.name) continue;
    const auto number = values.find(loss.parameter->name);
    if (number != values.end() && number->second == FormatValue(loss.parameter->value))
      values.erase(number);
  }
}

std::vector<std::string> SelectingMetrics() {
  std::vector<std::string> names = {"auto"};
  for (const Metric& metric : AllMetrics())
    if (metric.selects) names.emplace_back(metric.name);
  return names;
}

}  // namespace gopnet

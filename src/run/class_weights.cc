#include "run/class_weights.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/names.h"
#include "base/visit.h"
#include "run/json_values.h"

namespace gopnet {
namespace {

// {"cat": 2, "dog": 1} or cat:2,dog:1
std::vector<std::pair<std::string, std::string>> ParsePairs(const std::string& spec) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (!spec.empty() && spec.front() == '{') return ObjectPairs(spec, "parameter class_weight");
  for (const std::string& item : SplitList(spec)) {
    const size_t colon = item.rfind(':');
    Check(colon != std::string::npos, "parameter class_weight: '", spec,
          "' given, none, balanced or label:weight pairs such as cat:2,dog:1 are wanted");
    pairs.emplace_back(item.substr(0, colon), item.substr(colon + 1));
  }
  return pairs;
}

// Whole numbers say how often a row counts. All other weights are relative: they are divided by
// their mean, or weights of 1e-6 would make a ridge of 0.1 one of 100,000. What is 1 on average, as
// balanced classes are, stays as it is.
void Normalise(std::vector<float>& weights) {
  double sum = 0;
  for (const float w : weights) sum += static_cast<double>(w);
  const double mean = sum / static_cast<double>(std::max<size_t>(weights.size(), 1));
  const bool whole =
      std::all_of(weights.begin(), weights.end(), [](float w) { return w == std::floor(w); });
  if (whole || !(mean > 0) || std::fabs(mean - 1) < 1e-3) return;
  for (float& w : weights) w = static_cast<float>(static_cast<double>(w) / mean);
}

}  // namespace

ClassWeights::ClassWeights(const std::string& spec, const Dataset& train)
    : balanced_(spec == "balanced"), of_class_(train.classes.size(), 1.0) {
  if (spec == "none" || spec.empty()) return;
  Check(train.task == Task::kClassification, "parameter class_weight: '", spec,
        "' given for regression, none is wanted");
  if (balanced_) return;
  const Field field{.name = "class_weight", .range = {0, 1e6}, .doc = ""};
  for (const auto& [label, weight] : ParsePairs(spec)) {
    const auto it = std::find(train.classes.begin(), train.classes.end(), label);
    Check(it != train.classes.end(), "parameter class_weight: the data have no class '", label, "'",
          DidYouMean(label, train.classes));
    ParseValue(field, weight, of_class_[static_cast<size_t>(it - train.classes.begin())]);
  }
}

ClassWeights ClassWeights::For(const Dataset& train, const Dataset& other) const {
  ClassWeights weights = *this;
  weights.of_class_.assign(other.classes.size(), 1.0);
  for (size_t c = 0; c < other.classes.size(); ++c) {
    const auto it = std::find(train.classes.begin(), train.classes.end(), other.classes[c]);
    if (it != train.classes.end())
      weights.of_class_[c] = of_class_[static_cast<size_t>(it - train.classes.begin())];
  }
  return weights;
}

double ClassWeights::Fixed(const Dataset& train, size_t row) const {
  const double weight = train.weights.empty() ? 1.0 : static_cast<double>(train.weights[row]);
  const double of_label =
      train.labels.empty() ? 1.0 : of_class_[static_cast<size_t>(train.labels[row])];
  return static_cast<float>(weight * of_label);  // what vanishes in float counts as 0
}

std::vector<float> ClassWeights::Rows(const Dataset& train, const std::vector<size_t>& rows) const {
  std::vector<double> factor(train.classes.size(), 1.0);
  if (balanced_) {
    std::vector<double> count(train.classes.size());
    for (const size_t row : rows) count[static_cast<size_t>(train.labels[row])] += 1;
    const auto present = static_cast<double>(
        std::count_if(count.begin(), count.end(), [](double c) { return c > 0; }));
    for (size_t c = 0; c < count.size(); ++c) {
      if (count[c] > 0) factor[c] = static_cast<double>(rows.size()) / (present * count[c]);
    }
  }
  std::vector<float> weights;
  for (const size_t row : rows) {
    const double of_label =
        train.labels.empty() ? 1.0 : factor[static_cast<size_t>(train.labels[row])];
    weights.push_back(static_cast<float>(Fixed(train, row) * of_label));
  }
  Normalise(weights);
  const bool all_one =
      std::all_of(weights.begin(), weights.end(), [](float w) { return w == 1.0f; });
  return all_one ? std::vector<float>{} : weights;
}

}  // namespace gopnet

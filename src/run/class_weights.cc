#include "run/class_weights.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/names.h"
#include "base/parse_json.h"
#include "base/visit.h"

namespace gopnet {
namespace {

// {"cat": 2, "dog": 1} or cat:2,dog:1
std::vector<std::pair<std::string, std::string>> ParsePairs(const std::string& spec) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (spec.front() == '{') {
    const auto json = ParseJson<nlohmann::ordered_json>(spec);
    Check(json.is_object(), "parameter class_weight: must be a JSON object of numbers; got '", spec,
          "'");
    for (const auto& [label, weight] : json.items()) pairs.emplace_back(label, JsonText(weight));
    return pairs;
  }
  for (const std::string& item : SplitList(spec)) {
    const size_t colon = item.rfind(':');
    Check(colon != std::string::npos,
          "parameter class_weight: must be none, balanced or label:weight pairs such as "
          "cat:2,dog:1; got '",
          spec, "'");
    pairs.emplace_back(item.substr(0, colon), item.substr(colon + 1));
  }
  return pairs;
}

// Whole numbers say how often a row counts, as long as a float can count. All other weights are
// relative: they are divided by their mean, or weights of 1e-6 would make a ridge of 0.1 one of
// 100,000. What is 1 on average, as balanced classes are, stays as it is.
void Normalise(std::vector<float>& weights) {
  double sum = 0;
  for (const float w : weights) sum += static_cast<double>(w);
  const double mean = sum / static_cast<double>(std::max<size_t>(weights.size(), 1));
  constexpr float kMostCount = 1 << 24;
  const bool whole =
      std::ranges::all_of(weights, [](float w) { return w == std::floor(w) && w <= kMostCount; });
  if (whole || !(mean > 0) || std::fabs(mean - 1) < 1e-3) return;
  for (float& w : weights) w = static_cast<float>(static_cast<double>(w) / mean);
}

// Sample weight times class weight.
double WeightOf(const Dataset& data, size_t row, const std::vector<double>& of_class) {
  const double weight = data.weights.empty() ? 1.0 : static_cast<double>(data.weights[row]);
  const double of_label =
      data.labels.empty() ? 1.0 : of_class[static_cast<size_t>(data.labels[row])];
  return static_cast<float>(weight * of_label);  // a weight that underflows in float counts as 0
}

}  // namespace

ClassWeights::ClassWeights(const std::string& spec, const Dataset& train)
    : balanced_(spec == "balanced") {
  if (spec == "none" || spec.empty()) return;
  Check(train.task == Task::kClassification,
        "parameter class_weight: must be none for regression; got '", spec, "'");
  if (balanced_) return;
  const Field field{.name = "class_weight", .range = {0, 1e6}, .doc = ""};
  for (const auto& [label, weight] : ParsePairs(spec)) {
    Check(std::ranges::count(train.classes, label) > 0,
          "parameter class_weight: the data have no class '", label, "'",
          DidYouMean(label, train.classes));
    ParseValue(field, weight, of_label_[label]);
  }
}

std::vector<double> ClassWeights::OfClasses(const Dataset& data) const {
  std::vector<double> weights;
  for (const std::string& label : data.classes)
    weights.push_back(of_label_.count(label) != 0 ? of_label_.at(label) : 1.0);
  return weights;
}

void ClassWeights::DropWeightless(const Dataset& data, std::vector<size_t>& rows) const {
  const std::vector<double> of_class = OfClasses(data);
  std::erase_if(rows, [&](size_t row) { return WeightOf(data, row, of_class) == 0; });
}

std::vector<float> ClassWeights::Rows(const Dataset& data, const std::vector<size_t>& rows) const {
  std::vector<double> of_class = OfClasses(data);
  if (balanced_) {
    std::vector<double> count(data.classes.size());
    for (const size_t row : rows) count[static_cast<size_t>(data.labels[row])] += 1;
    const auto present = static_cast<double>(
        std::count_if(count.begin(), count.end(), [](double c) { return c > 0; }));
    for (size_t c = 0; c < count.size(); ++c) {
      if (count[c] > 0) of_class[c] = static_cast<double>(rows.size()) / (present * count[c]);
    }
  }
  std::vector<float> weights;
  for (const size_t row : rows)
    weights.push_back(static_cast<float>(WeightOf(data, row, of_class)));
  Normalise(weights);
  const bool all_one =
      std::all_of(weights.begin(), weights.end(), [](float w) { return w == 1.0f; });
  return all_one ? std::vector<float>{} : weights;
}

}  // namespace gopnet

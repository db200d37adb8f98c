// Bar charts made of block characters.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "cli/json.h"
#include "cli/summary.h"
#include "cli/text.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxSets = 8;

struct Bar {
  std::string name;
  std::optional<double> value;  // none: no bar
  std::string note;
};

// A bar that fills `part` of the width of `letters` characters, in steps of an eighth of a
// character.
std::string Blocks(double part, size_t letters) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(
      std::lround(std::clamp(part, 0.0, 1.0) * static_cast<double>(letters) * 8));
  std::string text;
  for (size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  const size_t used = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
  return text + std::string(letters - std::min(letters, used), ' ');
}

std::string SetName(const Json& set) { return set.is_array() ? OperatorSet(set.get<Words>()) : ""; }

// The bar of a layer or a network in metrics.json.
Bar RecordBar(const std::string& name, const Json& record, const std::string& metric) {
  const Json val = record.value("val", Json());
  const Json value = val.is_object() ? val.value(metric, Json()) : Json();
  return {name, value.is_number() ? std::optional(value.get<double>()) : std::nullopt,
          SetName(record.value("operator_set", Json()))};
}

// One line per bar: its name, the bar, the value and, if there is room, the note. The worst score
// gets a short bar and the best a long one; equal scores all get a full bar.
std::string Chart(const std::string& title, const std::vector<Bar>& bars, double direction,
                  size_t width) {
  constexpr size_t kMinBar = 8, kValue = 9;
  size_t name = 0, note = 0;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const Bar& bar : bars) {
    name = std::max(name, bar.name.size());
    note = std::max(note, bar.note.size());
    least = std::min(least, bar.value.value_or(least));
    most = std::max(most, bar.value.value_or(most));
  }
  if (least > most) return "";
  const double from = direction > 0 ? least - (most - least) / 4 : std::min(0.0, least);
  const bool notes = name + note + kValue + kMinBar + 6 <= width;
  const size_t rest = name + kValue + 4 + (notes ? note + 2 : 0);
  const size_t letters = std::max(kMinBar, width > rest ? width - rest : 0);
  std::string text = "\n" + title + "\n";
  for (const Bar& bar : bars) {
    const double value = bar.value.value_or(from);
    const double part = !bar.value ? 0 : most > from ? (value - from) / (most - from) : 1;
    text += fmt::format("{:{}}  {}  {:>{}}", bar.name, name, Blocks(part, letters),
                        bar.value ? fmt::format("{:.4g}", value) : "-", kValue);
    text += (notes && !bar.note.empty() ? "  " + bar.note : "") + "\n";
  }
  return text;
}

std::vector<Bar> LayerBars(const Json& metrics, const std::string& metric) {
  std::vector<Bar> bars;
  int number = 0;
  for (const Json& layer : metrics.value("layers", Json::array()))
    bars.push_back(RecordBar(fmt::format("layer {}", ++number), layer, metric));
  const Json rejected = metrics.value("rejected", Json());
  if (rejected.is_object()) bars.push_back(RecordBar("rejected", rejected, metric));
  number = 0;
  for (const Json& member : metrics.value("members", Json::array())) {
    bars.push_back(RecordBar(fmt::format("network {}", ++number), member, metric));
    std::string& note = bars.back().note;
    note = fmt::format("weight {}  {}", Fixed(member.value("weight", 0.0), 3),
                       note.empty() ? "linear" : note);
  }
  return bars;
}

// The candidates that trained longest, the best first; the smaller loss breaks ties.
std::vector<Bar> SetBars(const Json& search, double direction) {
  std::vector<std::pair<std::array<double, 3>, Bar>> tried;  // the smallest key comes first
  for (const Json& candidate : search.at("candidates")) {
    if (candidate.at("points").empty()) continue;
    const auto point = candidate.at("points").back().get<std::array<double, 3>>();
    const auto& [epochs, score, loss] = point;
    tried.push_back({{-epochs, -direction * score, loss},
                     {SetName(candidate.at("set")), score, fmt::format("{} epochs", epochs)}});
  }
  std::ranges::stable_sort(tried, {}, [](const auto& item) { return item.first; });
  if (tried.size() > kMaxSets) tried.resize(kMaxSets);
  std::vector<Bar> bars;
  for (const auto& item : tried) bars.push_back(item.second);
  return bars;
}

}  // namespace

std::string RunCharts(const std::string& report_data, size_t width) {
  const Json data = ParseJson(report_data);
  if (data.value("kind", "") != "run") return "";
  const Json& journal = data.at("journal");
  const double direction = journal.at("direction");
  const std::string metric = journal.at("metric");
  const Json metrics = data.value("metrics", Json());
  std::string text;
  if (metrics.is_object())
    text = Chart(
        fmt::format("val {} per layer{}", metric,
                    metrics.contains("members")
                        ? " of the best network, and per network (with its first operator set)"
                        : ""),
        LayerBars(metrics, metric), direction, width);
  for (const Json& search : journal.at("searches"))
    text += Chart(fmt::format("best operator sets of layer {}, val {}",
                              search.at("layer").get<int>(), metric),
                  SetBars(search, direction), direction, width);
  return text;
}

}  // namespace gopnet::cli

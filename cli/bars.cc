#include "cli/bars.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/json.h"
#include "cli/text.h"

namespace gopnet::cli {
namespace {

using Json = nlohmann::ordered_json;
constexpr size_t kMostSets = 8;

// In eighths of a letter.
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

Words ToWords(const Json& set) { return set.is_array() ? set.get<Words>() : Words(); }

Bar MakeBar(const std::string& name, const Json& values, const std::string& metric,
            const std::string& note) {
  const Json value = values.is_object() ? values.value(metric, Json()) : Json();
  return {name, value.is_number() ? value.get<double>() : 0, value.is_number(), note};
}

// The worst score gets a short bar, the best a long one.
std::string Chart(const std::string& title, const std::vector<Bar>& bars, double direction,
                  size_t width) {
  std::vector<Bar> drawn = bars;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const Bar& bar : drawn) {
    if (!bar.valid) continue;
    least = std::min(least, bar.value);
    most = std::max(most, bar.value);
  }
  if (least > most) return "";
  const double from = direction > 0 ? least - (most - least) / 4 : std::min(0.0, least);
  return "\n" + title + "\n" + BarChart(drawn, from, width);
}

std::vector<Bar> LayerBars(const Json& data, const std::string& metric) {
  std::vector<Bar> bars;
  int number = 0;
  const Json metrics = data.value("metrics", Json());
  if (!metrics.is_object()) return bars;
  for (const Json& layer : metrics.value("layers", Json::array()))
    bars.push_back(MakeBar(fmt::format("layer {}", ++number), layer.value("val", Json()), metric,
                           OperatorSet(ToWords(layer.value("operator_set", Json())))));
  const Json rejected = metrics.value("rejected", Json());
  if (rejected.is_object())
    bars.push_back(MakeBar("rejected", rejected.value("val", Json()), metric,
                           OperatorSet(ToWords(rejected.value("operator_set", Json())))));
  number = 0;
  for (const Json& member : metrics.value("members", Json::array())) {
    const Words set = ToWords(member.value("operator_set", Json()));
    bars.push_back(MakeBar(fmt::format("network {}", ++number), member.value("val", Json()), metric,
                           fmt::format("weight {}  {}", Fixed(member.value("weight", 0.0), 3),
                                       set.empty() ? "linear" : OperatorSet(set))));
  }
  return bars;
}

// Those that came furthest, the best first, of equals the one of smaller loss.
std::vector<Bar> SetBars(const Json& search, double direction) {
  std::vector<std::pair<std::array<double, 3>, Bar>> tried;  // what is smaller comes first
  for (const Json& candidate : search.at("candidates")) {
    if (candidate.at("points").empty()) continue;
    const auto point = candidate.at("points").back().get<std::array<double, 3>>();
    const auto& [epochs, score, loss] = point;
    tried.push_back({{-epochs, -direction * score, loss},
                     {OperatorSet(ToWords(candidate.at("set"))), score, true,
                      fmt::format("{} epochs", epochs)}});
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (tried.size() > kMostSets) tried.resize(kMostSets);
  std::vector<Bar> bars;
  for (const auto& item : tried) bars.push_back(item.second);
  return bars;
}

}  // namespace

std::string BarChart(const std::vector<Bar>& bars, double from, size_t width) {
  constexpr size_t kLeastBar = 8, kValue = 9;
  size_t name = 0, note = 0;
  double most = from;
  for (const Bar& bar : bars) {
    name = std::max(name, bar.name.size());
    note = std::max(note, bar.note.size());
    if (bar.valid) most = std::max(most, bar.value);
  }
  const bool notes = name + note + kValue + kLeastBar + 6 <= width;
  const size_t rest = name + kValue + 4 + (notes ? note + 2 : 0);
  const size_t letters = std::max(kLeastBar, width > rest ? width - rest : 0);
  std::string text;
  for (const Bar& bar : bars) {
    const double part = !bar.valid ? 0 : most > from ? (bar.value - from) / (most - from) : 1;
    std::string line = fmt::format("{:{}}  {}  {:>{}}", bar.name, name, Blocks(part, letters),
                                   bar.valid ? fmt::format("{:.4g}", bar.value) : "-", kValue);
    if (notes && !bar.note.empty()) line += "  " + bar.note;
    text += line + "\n";
  }
  return text;
}

size_t TerminalWidth() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string RunPictures(const std::string& report_data, size_t width) {
  const Json data = ParseJson(report_data);
  if (data.value("kind", "") != "run") return "";
  const Json& journal = data.at("journal");
  const double direction = journal.at("direction");
  const std::string metric = journal.at("metric");
  const Json metrics = data.value("metrics", Json());
  const bool several = metrics.is_object() && metrics.contains("members");
  const std::string title =
      several ? "per layer of the best network, and per network" : "per layer";
  std::string text =
      Chart(fmt::format("val {} {}", metric, title), LayerBars(data, metric), direction, width);
  for (const Json& search : journal.at("searches"))
    text += Chart(fmt::format("best operator sets of layer {}, val {}",
                              search.at("layer").get<int>(), metric),
                  SetBars(search, direction), direction, width);
  return text;
}

}  // namespace gopnet::cli

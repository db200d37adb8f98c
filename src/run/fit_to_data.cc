// What the parameters that are `auto` become; docs/background/algorithms.md says why.
#include <algorithm>

#include "run/prepare.h"

namespace gopnet {
namespace {

// What is enough to train one network: rows, and values, seen in all epochs together.
constexpr size_t kRowVisits = 1'200'000, kValueVisits = 400'000'000;
// The same for rows x features x classes, but no fewer than so many epochs: with hundreds of
// classes the output layer takes most of the time.
constexpr size_t kClassVisits = 8'000'000'000, kEnoughForClasses = 25;
constexpr size_t kFirstRows = 3'000;  // that a search sees before it drops operator sets
constexpr size_t kFewRows = 2'000;
// from here on wider networks are better, at twice the time
constexpr size_t kWideRows = 2'000, kWideRowsOfRegression = 5'000;
constexpr size_t kSlow =
    4;  // times the epochs: squared errors of classes, through sigmoids, start flat
// The more rows, the less an average adds to one network: networks times rows, and their bounds.
constexpr size_t kAveragedRows = 160'000, kFewNetworks = 3, kManyNetworks = 8;

}  // namespace

std::string AutoTopology(size_t rows, Task task) {
  const size_t wide = task == Task::kRegression ? kWideRowsOfRegression : kWideRows;
  return rows >= wide && rows < kManyRows ? "80,80,80" : "40,40,40";
}

size_t AutoEnsemble(size_t rows) {
  return std::clamp(kAveragedRows / std::max<size_t>(rows, 1), kFewNetworks, kManyNetworks);
}

size_t AutoBatchSize(size_t rows) { return rows < kManyRows ? 64 : 256; }

Values FitToData(Values values, const Prepared& p) {
  const size_t rows = p.problem.train.x.rows(), features = p.problem.train.x.cols();
  const auto choose = [&](const char* name, const std::string& value) {
    const auto it = values.find(name);
    if (it != values.end() && it->second == "auto") it->second = value;
  };
  const bool regression = p.problem.task == Task::kRegression;
  const bool ensemble = IsEnsemble(values);
  choose("dropout", regression ? "0" : features > rows ? "0.5" : "0.2");
  choose("ensemble", std::to_string(AutoEnsemble(rows)));
  choose("search_epochs", std::to_string(27 * std::clamp<size_t>(kFirstRows / rows, 1, 3)));
  choose("topology", AutoTopology(rows, p.problem.task));
  choose("batch_size", std::to_string(AutoBatchSize(rows)));
  const size_t most = !ensemble ? 100 : regression && rows <= kFewRows ? 200 : 60;
  const auto limit = values.find("network_rows");  // that one network of an ensemble learns from
  const size_t seen =
      ensemble && limit != values.end() ? std::min(rows, std::stoul(limit->second)) : rows;
  const size_t values_seen = seen * features, classes = regression ? 1 : p.problem.outputs;
  const size_t enough =
      std::min({kRowVisits / seen, kValueVisits / values_seen,
                std::max(kEnoughForClasses, kClassVisits / (values_seen * classes))});
  const auto loss = values.find("loss");
  const bool slow = !regression && loss != values.end() && loss->second == "mse";
  choose("epochs", std::to_string((slow ? kSlow : 1) * std::clamp<size_t>(enough, 7, most)));
  return values;
}

}  // namespace gopnet

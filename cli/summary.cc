#include "cli/summary.h"

#include <filesystem>
#include <set>

#include "cli/text.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxShownClasses = 12;

std::string ClassList(const Words& classes) {
  if (classes.size() <= kMaxShownClasses) return Join(classes);
  return Join({classes.begin(), classes.begin() + kMaxShownClasses}) + ", ...";
}

std::string Outputs(const Dataset& data) {
  if (data.task == Task::kClassification) {
    return std::to_string(data.classes.size()) + " classes (" + ClassList(data.classes) + ")";
  }
  return std::to_string(data.targets.cols()) + (data.targets.cols() == 1 ? " target" : " targets");
}

std::string Memory(const MemoryRecord& memory) {
  return memory.dims > 0 ? memory.type + " " + std::to_string(memory.dims) : "-";
}

bool HasVal(const History& history) {
  const auto rows = history.data.find("val");
  return rows != history.data.end() && rows->second > 0;
}

Words LayerRow(const std::string& name, const LayerRecord& layer, const std::string& metric) {
  const auto score = layer.val.find(metric);
  return {name,
          std::to_string(layer.units),
          OperatorSets(layer),
          Memory(layer.memory),
          score == layer.val.end() ? "-" : Fixed(score->second, 4),
          Fixed(layer.seconds, 1)};
}

std::string LayerTable(const History& history) {
  const std::string metric = history.task == "regression" ? "r2" : "accuracy";
  std::vector<Words> rows = {{"layer", "units", "operator set", "memory",
                              (HasVal(history) ? "val " : "train ") + metric, "s"}};
  for (const LayerRecord& layer : history.layers) {
    rows.push_back(LayerRow(std::to_string(rows.size()), layer, metric));
  }
  const std::string next = std::to_string(rows.size()) + " rejected";
  for (const LayerRecord& layer : history.rejected) rows.push_back(LayerRow(next, layer, metric));
  return Table(rows);
}

std::string Chosen(const History& history) {
  return history.chosen.empty() ? "" : "grid: " + Setting(history.chosen) + " is best on val\n";
}

std::string Finetuning(const History& history) {
  if (history.finetune_epochs == 0) return "";
  const std::string epochs =
      "fine-tuning: " + std::to_string(history.finetune_epochs) + " epochs, ";
  const std::string rows = HasVal(history) ? "on val" : "on the training rows";
  if (history.finetune_best_epoch == 0)
    return epochs + "none better " + rows + "; the network stays as it grew\n";
  return epochs + "the best " + rows + " was " + std::to_string(history.finetune_best_epoch) + "\n";
}

}  // namespace

std::string OperatorSets(const LayerRecord& layer) {
  std::set<Words> others;
  for (const BlockRecord& block : layer.blocks) others.insert(block.operator_set);
  others.erase(layer.operator_set);
  const std::string first = OperatorSet(layer.operator_set);
  return others.empty() ? first : first + " + " + std::to_string(others.size()) + " more";
}

std::string DataSummary(const Dataset& train, bool task_by_values) {
  const bool classes = train.task == Task::kClassification;
  std::string text =
      std::string("task: ") + (classes ? "classification" : "regression") + ", " + Outputs(train);
  if (!train.schema.targets.empty()) text += " of column " + Join(train.schema.targets);
  if (task_by_values) text += "; chosen by the values, --task sets it";
  return text;
}

std::string RowsSummary(const std::map<std::string, long>& data) {
  const auto rows = [&](const char* set) {
    const auto found = data.find(set);
    return found == data.end() ? size_t{0} : static_cast<size_t>(found->second);
  };
  std::string text = "rows: " + Grouped(rows("train")) + " train";
  for (const char* set : {"val", "test"}) {
    if (rows(set) > 0) text += ", " + Grouped(rows(set)) + " " + set;
  }
  return text + "; " + Grouped(rows("features")) + " features";
}

std::string MetricsTable(const std::map<std::string, Metrics>& metrics) {
  std::set<std::string> names;
  for (const auto& set : metrics) {
    for (const auto& metric : set.second) names.insert(metric.first);
  }
  std::vector<Words> rows = {{""}};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  for (const std::string set : {"train", "val", "test"}) {
    const auto found = metrics.find(set);
    if (found == metrics.end() || found->second.empty()) continue;
    rows.push_back({set});
    for (const std::string& name : names) {
      const auto metric = found->second.find(name);
      rows.back().push_back(metric == found->second.end() ? "-" : Fixed(metric->second, 4));
    }
  }
  return Table(rows);
}

// How well several ranks were used.
std::string RanksSummary(const History& history) {
  if (history.ranks.empty()) return "";
  long candidates = 0;
  double seconds = 0, waiting = 0, communication = 0;
  for (const RankRecord& r : history.ranks) {
    candidates += r.candidates;
    seconds += r.seconds;
    waiting += r.waiting;
    communication += r.communication;
  }
  const auto share = [&](double part) { return Fixed(100 * part / std::max(seconds, 1e-9), 1); };
  return std::to_string(history.ranks.size()) + " ranks trained " + std::to_string(candidates) +
         " candidates; of the searches' time " + share(waiting) + " % waiting, " +
         share(communication) + " % communication\n";
}

std::string TrainSummary(const History& history, const std::string& folder,
                         const std::string& test_file) {
  const auto test = history.metrics.find("test");
  const bool tested = test != history.metrics.end() && !test->second.empty();
  const std::string model = (std::filesystem::path(folder) / "model.safetensors").string();
  return "\n" + LayerTable(history) + "stopped: " + history.stopped + "\n" + Chosen(history) +
         Finetuning(history) + RanksSummary(history) + "\n" + MetricsTable(history.metrics) +
         (HasVal(history) ? "val" : "train") + " is optimistic: the network was chosen by it" +
         (tested ? "; test is not" : "; --test or --test-split gives an honest score") +
         "\n\nmodel: " + model + " (" + Grouped(static_cast<size_t>(history.parameters)) +
         " parameters, " + Duration(history.seconds) + ")\nnext:  gopnet " +
         (test_file.empty() ? "predict " + folder + " NEW_ROWS" : "inspect " + folder) + "\n";
}

}  // namespace gopnet::cli

#include "cli/summary.h"

#include <cmath>
#include <set>

#include "cli/files.h"
#include "cli/json.h"
#include "cli/text.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxShownClasses = 12;
constexpr int kDigits = 4;  // of a metric

std::string Outputs(const Dataset& data) {
  if (data.task == Task::kClassification) {
    return fmt::format("{} classes ({})", data.classes.size(),
                       JoinFirst(data.classes, kMaxShownClasses));
  }
  const Words& names = data.schema.targets;
  return fmt::format("{} target{}{}", data.targets.cols(), data.targets.cols() == 1 ? "" : "s",
                     names.empty() ? "" : ": " + JoinFirst(names, kMaxShownClasses));
}

bool HasVal(const History& history) {
  const long* rows = Find(history.data, "val");
  return history.metrics.count("val") != 0 || (rows && *rows > 0);
}

// The most common metric of the task.
std::string MainMetric(const History& history) {
  return history.by_loss ? "loss" : history.task == "regression" ? "r2" : "accuracy";
}

// The rows to quote scores of: test if there are any, because they chose nothing.
std::string QuotedSet(const History& history) {
  return history.metrics.count("test") != 0 ? "test" : "val";
}

Words LayerRow(const std::string& name, const LayerRecord& layer, const std::string& metric) {
  const double* score = Find(layer.val, metric);
  const auto& [memory, dims] = layer.memory;
  return {name,
          std::to_string(layer.units),
          OperatorSets(layer),
          dims > 0 ? fmt::format("{} {}", memory, dims) : "-",
          score ? Fixed(*score, 4) : "-",
          Fixed(layer.seconds, 1)};
}

// Scores that choose networks count row weights; the metrics do not.
std::string Weighted(const History& history) { return history.weighted ? "weighted " : ""; }

std::string LayerTable(const History& history) {
  const std::string metric = MainMetric(history);
  std::vector<Words> rows = {{"layer", "units", "operator set", "memory",
                              Weighted(history) + (HasVal(history) ? "val " : "train ") + metric,
                              "s"}};
  for (const LayerRecord& layer : history.layers) {
    rows.push_back(LayerRow(std::to_string(rows.size()), layer, metric));
  }
  const std::string next = std::to_string(rows.size()) + " rejected";
  for (const LayerRecord& layer : history.rejected) rows.push_back(LayerRow(next, layer, metric));
  return Table(rows);
}

// The networks of an ensemble. Layers above the first may use other operators (see gopnet inspect).
std::string MemberTable(const History& history) {
  const std::string metric = MainMetric(history);
  std::vector<Words> rows = {
      {"network", "layers", "first layer", "weight", Weighted(history) + "val " + metric}};
  for (const MemberRecord& member : history.members) {
    rows.push_back({std::to_string(rows.size()), std::to_string(member.layers),
                    member.layers > 0 ? OperatorSet(member.operator_set) : "linear",
                    Fixed(member.weight, 3), Fixed(member.val.at(metric), 4)});
  }
  return Table(rows);
}

// The layers or networks, and why growth stopped.
std::string Grown(const History& history) {
  const size_t count = history.members.size();  // one if there was a single operator set
  const std::string table = count == 0 ? LayerTable(history) : MemberTable(history);
  const std::string end = count == 0 ? "stopped: " + history.stopped
                          : count == 1
                              ? "the model is this network"
                              : fmt::format("the model is the average of these {} networks", count);
  const int more = history.networks_left_out;
  const std::string left_out =
      more == 0 ? "" : fmt::format("; {} more {} left out", more, more == 1 ? "is" : "are");
  return table + AboutDog(table) + end + left_out + "\n";
}

std::string Chosen(const History& history) {
  return history.chosen.empty() ? "" : "grid: " + Setting(history.chosen) + " is best on val\n";
}

std::string Finetuning(const History& history) {
  if (history.finetune_epochs == 0) return "";
  const int epochs = history.finetune_epochs, best = history.finetune_best_epoch;
  const char* rows = HasVal(history) ? "on val" : "on the training rows";
  if (best > 0)
    return fmt::format("fine-tuning: {} epochs, best epoch: {} ({})\n", epochs, best, rows);
  return fmt::format("fine-tuning: {} epochs, no improvement {}; the network is unchanged\n",
                     epochs, rows);
}

// With folds, a few networks may hold out only some of the training rows.
std::string HeldOutRows(const History& history) {
  const long *rows = Find(history.data, "held_out"), *all = Find(history.data, "train");
  if (QuotedSet(history) != "val" || !rows || !all || *rows == *all) return "";
  return fmt::format(" on {} held-out rows of {}", Grouped(static_cast<size_t>(*rows)),
                     Grouped(static_cast<size_t>(*all)));
}

// The network beside the baselines on the same rows: accuracy in percent with its standard error,
// r2, or the loss.
std::string Baselines(const History& history) {
  const bool classes = history.task == "classification";
  const std::string metric = MainMetric(history), part = QuotedSet(history);
  const Metrics* own = Find(history.metrics, part);
  if (!own || history.yardsticks.count("linear") == 0) return "";
  const double score = own->at(metric);
  const auto shown = [&](double value) {
    return classes ? Fixed(100 * value, 1) : Fixed(value, 3);
  };
  const auto rows = static_cast<double>(history.data.at(part));  // 0 with folds
  // counts one more right and one more wrong row, because a few rows without errors prove little
  const double share = (score * rows + 1) / (rows + 2);
  const std::string error =
      classes && rows > 0
          ? fmt::format(" +- {:.1f} (standard error)", 100 * std::sqrt(share * (1 - share) / rows))
          : "";
  const double linear = history.yardsticks.at("linear").at(metric);
  const bool as_good = history.by_loss ? linear <= score : linear >= score;
  return fmt::format("{} {}{}: this network {}{}, linear model {}, {} {}{}\n", part,
                     classes ? "accuracy in %" : metric, HeldOutRows(history), shown(score), error,
                     shown(linear),
                     classes           ? "most frequent class"
                     : history.by_loss ? "constant"
                                       : "mean",
                     shown(history.yardsticks.at("constant").at(metric)),
                     as_good ? "; a linear model does as well or better here" : "");
}

std::string PerTarget(const History& history) {
  const auto* targets = Find(history.targets, QuotedSet(history));
  return targets ? "\n" + TargetsTable(*targets) : "";
}

std::string Confusions(const History& history) {
  const Words pairs = Mapped(history.confused, [](const Confusion& c) {
    return fmt::format("{} classified as {} ({} of {})", Printable(c.truth), Printable(c.predicted),
                       c.rows, c.of);
  });
  return pairs.empty() ? "" : fmt::format("{} errors: {}\n", QuotedSet(history), Join(pairs));
}

std::string Calibration(const History& history) {
  const Metrics* metrics = Find(history.metrics, QuotedSet(history));
  const double* ece = metrics ? Find(*metrics, "ece") : nullptr;
  if (!ece) return "";
  return fmt::format("calibration: probabilities are {:.1f} % off on average ({} ece {:.4f})\n",
                     100 * *ece, QuotedSet(history), *ece);
}

// The metrics that a table of these sets shows.
std::set<std::string> ShownNames(const std::map<std::string, Metrics>& sets) {
  std::set<std::string> names;
  bool repeats = true;
  for (const auto& [set, metrics] : sets) {
    for (const auto& metric : metrics) names.insert(metric.first);
    repeats = repeats && (metrics.empty() || RepeatsLogLoss(metrics));
  }
  if (repeats) names.erase("loss");
  return names;
}

// The mean of every metric over the folds and, if there are several, the standard error of the
// mean.
std::string FoldsTable(const CrossValidation& cv) {
  std::map<std::string, Metrics> folds;
  for (const Metrics& fold : cv.scores) folds[std::to_string(folds.size())] = fold;
  std::vector<Words> rows = {{"metric", "mean", "standard error"}};
  for (const std::string& name : ShownNames(folds)) {
    const size_t count = cv.Of(name).size();
    rows.push_back({name, count > 0 ? Fixed(cv.Mean(name), kDigits) : "-",
                    count > 1 ? Fixed(cv.Error(name), kDigits) : "-"});
  }
  return Table(rows);
}

std::string Estimate(const History& history) {
  const CrossValidation& cv = history.cv;
  if (cv.folds == 0) return "";
  if (cv.scores.empty())
    return "cross-validation: no fold finished in its share of the time; use more time or fewer "
           "folds\n";
  const Words scores =
      Mapped(cv.scores, [&](const Metrics& fold) { return Fixed(fold.at(cv.metric), 4); });
  const auto folds = static_cast<size_t>(cv.folds);
  const std::string of = scores.size() < folds ? fmt::format("{} of ", scores.size()) : "";
  const std::string spread = scores.size() > 1 ? fmt::format(" +- {:.4f} (standard error; {})",
                                                             cv.Error(cv.metric), Join(scores, " "))
                                               : "";
  return fmt::format("cross-validation, {}{} folds: {} {:.4f}{}\n{}", of, folds, cv.metric,
                     cv.Mean(cv.metric), spread, FoldsTable(cv));
}

std::string Advice(const History& history) {
  if (!history.cv.scores.empty()) return "";  // they are an unbiased estimate
  const Metrics* test = Find(history.metrics, "test");
  const bool tested = test && !test->empty();
  return fmt::format(
      "{}; {}\n",
      HasVal(history) ? "val is optimistic because it chose the network"
                      : "train is optimistic because the network learned from these rows",
      tested ? "test is not" : "use --test, --test-split or --cv for an unbiased estimate");
}

// The share of the time that several ranks spent waiting for each other.
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
  const double percent = 100 / std::max(seconds, 1e-9);
  return fmt::format(
      "{} ranks trained {} candidates; the searches spent {:.1f} % of their time waiting and "
      "{:.1f} % communicating\n",
      history.ranks.size(), candidates, percent * waiting, percent * communication);
}

}  // namespace

std::string OperatorSets(const LayerRecord& layer) {
  std::set<Words> others;
  for (const BlockRecord& block : layer.blocks) others.insert(block.operator_set);
  others.erase(layer.operator_set);
  const std::string first = OperatorSet(layer.operator_set);
  return others.empty() ? first : fmt::format("{} + {} more", first, others.size());
}

std::string DataSummary(const Dataset& train, bool task_by_values) {
  const bool classes = train.task == Task::kClassification;
  std::string text =
      fmt::format("task: {}, {}", classes ? "classification" : "regression", Outputs(train));
  if (classes && !train.schema.targets.empty())
    text += " of column " + JoinFirst(train.schema.targets, 1);
  if (task_by_values) text += "; detected from the values, --task overrides it";
  return text;
}

std::string RowsSummary(const std::map<std::string, long>& data) {
  const auto rows = [&](const char* set) {
    const long* found = Find(data, set);
    return found ? static_cast<size_t>(*found) : 0;
  };
  std::string text = fmt::format("rows: {} train", Grouped(rows("train")));
  for (const char* set : {"val", "test"}) {
    if (rows(set) > 0) text += fmt::format(", {} {}", Grouped(rows(set)), set);
  }
  if (rows("folds") > 0) text += fmt::format(", validated on {} folds of train", rows("folds"));
  return fmt::format("{}; {} features", text, Grouped(rows("features")));
}

std::map<std::string, Metrics> MetricsOf(const Json& run) {
  std::map<std::string, Metrics> metrics;
  const auto sets = run.value("metrics", Json::object());
  for (const auto& [set, values] : sets.items())
    for (const auto& [name, value] : values.items())
      if (value.is_number()) metrics[set][name] = value.get<double>();
  return metrics;
}

bool RepeatsLogLoss(const Metrics& metrics) {
  const double *loss = Find(metrics, "loss"), *log_loss = Find(metrics, "log_loss");
  return loss && log_loss && Fixed(*loss, kDigits) == Fixed(*log_loss, kDigits);
}

std::string MetricsTable(const std::map<std::string, Metrics>& metrics) {
  const std::set<std::string> names = ShownNames(metrics);
  std::vector<Words> rows = {{""}};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  for (const std::string set : {"train", "val", "test"}) {
    const Metrics* values = Find(metrics, set);
    if (!values || values->empty()) continue;
    rows.push_back({set});
    for (const std::string& name : names) {
      const double* value = Find(*values, name);
      rows.back().push_back(value ? Fixed(*value, kDigits) : "-");
    }
  }
  return Table(rows);
}

std::string TargetsTable(const std::vector<TargetMetrics>& targets) {
  std::vector<Words> rows = {{"target"}};
  for (const auto& [name, metrics] : targets) {
    rows.push_back({name});
    for (const auto& [metric, value] : metrics) {
      if (rows.size() == 2) rows[0].push_back(metric);
      rows.back().push_back(Fixed(value, 4));
    }
  }
  return Table(rows);
}

std::string TrainSummary(const History& history, const std::string& folder) {
  const std::string model = InFolder(folder, "model.safetensors");
  return fmt::format(
      "\n{}{}{}{}\n{}{}{}{}{}{}{}\n"
      "model: {} ({} parameters, {})\nnext:  gopnet predict {} NEW_ROWS\n",
      Grown(history), Chosen(history), Finetuning(history), RanksSummary(history),
      MetricsTable(history.metrics), PerTarget(history), Baselines(history), Confusions(history),
      Calibration(history), Estimate(history), Advice(history), Printable(model),
      Grouped(static_cast<size_t>(history.parameters)), Duration(history.seconds),
      ShellQuoted(folder));
}

}  // namespace gopnet::cli

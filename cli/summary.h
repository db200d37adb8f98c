// Prints the results of training for people.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gopnet/history.h"
#include "gopnet/train.h"

namespace gopnet::cli {

// "task: classification, 3 classes (a, b, c) of column kind", and whether it was detected.
std::string DataSummary(const Dataset& train, bool task_by_values);
// "rows: 80 train, 20 val; 4 features".
std::string RowsSummary(const std::map<std::string, long>& data);

// "dog/sum/tanh", or "dog/sum/tanh + 2 more" for a layer of blocks that differ.
std::string OperatorSets(const LayerRecord& layer);

// Layers, why growth stopped, metrics, the model's path and the command to try next.
std::string TrainSummary(const History& history, const std::string& folder);

// The metrics in metrics.json, by set.
std::map<std::string, Metrics> MetricsOf(const nlohmann::ordered_json& run);
// Whether a table shows the same number as loss and as log_loss. They differ if rows have weights,
// or if training minimised squared errors.
bool RepeatsLogLoss(const Metrics& metrics);
// One row per set ("train", "val", "test") and one column per metric; omits a loss that repeats
// log_loss.
std::string MetricsTable(const std::map<std::string, Metrics>& metrics);

// One row per target, one column per metric.
std::string TargetsTable(const std::vector<TargetMetrics>& targets);

// Bar charts of the scores per layer or network and of the best operator sets of each search, from
// ReportData, at most `width` columns wide.
std::string RunCharts(const std::string& report_data, size_t width);

}  // namespace gopnet::cli

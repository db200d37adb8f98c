// What training found, for people.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gopnet/history.h"
#include "gopnet/train.h"

namespace gopnet::cli {

// "task: classification, 3 classes (a, b, c) of column kind", how it was chosen.
std::string DataSummary(const Dataset& train, bool task_by_values);
// "rows: 80 train, 20 val; 4 features", as they were split.
std::string RowsSummary(const std::map<std::string, long>& data);

// "dog/sum/tanh", or "dog/sum/tanh + 2 more" for a layer of blocks that differ.
std::string OperatorSets(const LayerRecord& layer);

// Layers, why growth stopped, metrics, the model's path and what to try next.
std::string TrainSummary(const History& history, const std::string& folder);

// Those that metrics.json holds, by set.
std::map<std::string, Metrics> MetricsOf(const nlohmann::ordered_json& run);
// Whether a table of these shows the same number as loss and as log_loss. They differ if rows are
// weighted, or if training minimised squared errors.
bool RepeatsLogLoss(const Metrics& metrics);
// One row a set ("train", "val", "test"), one column a metric; no loss that repeats log_loss.
std::string MetricsTable(const std::map<std::string, Metrics>& metrics);

// One row a target, one column a metric.
std::string TargetsTable(const std::vector<TargetMetrics>& targets);

// Score per layer or network and the best operator sets of each search, from ReportData, as bars
// made of letters, of at most that many columns.
std::string RunPictures(const std::string& report_data, size_t width);

}  // namespace gopnet::cli

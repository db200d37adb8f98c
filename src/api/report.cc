#include "gopnet/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "algorithms/algorithm.h"
#include "base/check.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "data/formats/prediction_file.h"
#include "gopnet/safe_text.h"
#include "model/model_impl.h"
#include "nn/probability_metrics.h"
#include "nn/state.h"
#include "run/check_data.h"
#include "run/json_values.h"
#include "run/prepare.h"
#include "run/run_results.h"

namespace gopnet {

using Json = nlohmann::ordered_json;  // which writes numbers that are not finite as null

static void to_json(Json& json, const TargetMetrics& target) {
  AddFields(json, target);
  json.update(Json(target.metrics));
}

static void to_json(Json& json, const CrossValidation& cv) {
  json = {{"folds", cv.scores.size()},
          {"of", cv.folds},
          {"metric", cv.metric},
          {"mean", cv.Mean(cv.metric)},
          {"std", cv.scores.size() > 1 ? Json(cv.Deviation(cv.metric)) : Json()},
          {"scores", cv.scores}};
}

static void to_json(Json& json, const MemoryRecord& memory) {
  json = MemoryJson(memory.type, memory.dims);
}

static void to_json(Json& json, const MemberRecord& m) {
  AddFields(json, m);
  json["fold"] = m.fold < 0 ? Json() : Json(m.fold + 1);
}

decltype(auto) Fields(auto& a, ClassReport& c) {
  return a(Named("label", c.label), Named("rows", c.rows), Named("precision", c.precision),
           Named("recall", c.recall), Named("f1", c.f1));
}

namespace {

void CountClasses(const Model& model, const Rows& rows, const std::vector<int32_t>& predicted,
                  Evaluation& result) {
  const size_t classes = model.classes().size();
  result.confusion.assign(classes, std::vector<long>(classes));
  std::vector<long> of_predicted(classes);
  for (size_t n = 0; n < predicted.size(); ++n) {
    ++of_predicted[static_cast<size_t>(predicted[n])];
    if (rows.labels[n] < 0) {
      ++result.unknown_labels;
    } else {
      ++result.confusion[static_cast<size_t>(rows.labels[n])][static_cast<size_t>(predicted[n])];
    }
  }
  for (size_t c = 0; c < classes; ++c) {
    ClassReport report;
    report.label = model.classes()[c];
    for (const long count : result.confusion[c]) report.rows += count;
    const auto hits = static_cast<double>(result.confusion[c][c]);
    if (of_predicted[c] > 0) report.precision = hits / static_cast<double>(of_predicted[c]);
    if (report.rows > 0) report.recall = hits / static_cast<double>(report.rows);
    if (hits > 0)
      report.f1 = 2 * report.precision * report.recall / (report.precision + report.recall);
    result.classes.push_back(report);
  }
}

PredictionFormat FormatOf(const Model& model, bool proba) {
  return {model.task(), model.classes(), model.integer_classes(), model.schema().targets, proba};
}

}  // namespace

Evaluation Evaluate(const Model& model, const Dataset& data) {
  const ModelData& m = model.impl().data;
  CheckLabelled(m, data, NameOf(data, "evaluate"));
  Problem problem;
  problem.task = m.task;
  problem.outputs = model.outputs();
  problem.target_scale = m.targets.scale;
  problem.objective = ReadConfig<LossConfig>(m.parameters).Make(m.task);
  if (const auto chosen = m.parameters.find("metric"); chosen != m.parameters.end()) {
    const Metric* metric = FindMetric(chosen->second);
    if (metric != nullptr && metric->Fits(problem)) problem.metric = metric;
  }
  const Rows rows = EncodeRows(data, AllRows(data.rows()), m,
                               m.task == Task::kClassification && !problem.softmax());
  const FullMeasure measured = MeasureFully(problem, rows, m.ensemble, m.temperature);
  CheckMapsWhole();
  Evaluation result;
  result.rows = data.rows();
  result.metrics = measured.metrics;
  result.targets = NamedTargets(m.schema.targets, measured.per_target);
  if (m.task == Task::kClassification) CountClasses(model, rows, measured.predicted, result);
  return result;
}

std::string ToJson(const Evaluation& evaluation, int indent) {
  Json json{{"rows", evaluation.rows}, {"metrics", evaluation.metrics}};
  if (!evaluation.targets.empty()) json["targets"] = evaluation.targets;
  if (!evaluation.classes.empty()) {
    json["classes"] = evaluation.classes;
    json["confusion"] = evaluation.confusion;
    json["unknown_labels"] = evaluation.unknown_labels;
  }
  return JsonText(json, indent);
}

std::string ToJson(const History& h, const std::string& model_path, int indent) {
  Json json{{"algorithm", h.algorithm}, {"memory", h.memory},        {"task", h.task},
            {"seed", h.seed},           {"version", GOPNET_VERSION}, {"data", h.data},
            {"layers", h.layers}};
  json["rejected"] = h.rejected.empty() ? Json() : Json(h.rejected.back());
  json["stopped"] = h.stopped;
  json["complete"] = h.stopped != "stopped early";  // which only a run that is stopped says
  if (!h.chosen.empty()) json["chosen"] = h.chosen;
  if (!h.members.empty()) {
    json["members"] = h.members;
    json["networks_left_out"] = h.networks_left_out;
  }
  json["finetune"] = {{"epochs", h.finetune_epochs},
                      {"best_epoch", h.finetune_best_epoch},
                      {"seconds", h.finetune_seconds}};
  json["metrics"] = Json::object();
  for (const char* part : {"train", "val", "test"})
    json["metrics"][part] = h.metrics.count(part) > 0 ? h.metrics.at(part) : Metrics();
  if (!h.targets.empty()) json["targets"] = h.targets;
  if (!h.confused.empty()) json["confused"] = h.confused;
  if (!h.cv.scores.empty()) json["cv"] = h.cv;
  json["yardsticks"] = h.yardsticks;
  json["parameters"] = h.parameters;
  json["seconds"] = {{"total", h.seconds}, {"load", h.load_seconds}};
  if (!h.ranks.empty()) json["ranks"] = h.ranks;
  json["model"] = model_path.empty() ? Json() : Json(PathAsText(model_path));
  return JsonText(json, indent);
}

static void CheckPredicted(const Model& model, const Matrix& predicted) {
  Check(predicted.cols() == model.outputs(), "predictions: must have ", model.outputs(),
        " columns, one per output of the model; got ", predicted.cols());
}

std::string PredictionsCsv(const Model& model, const Matrix& predicted, bool proba,
                           const PredictionExtras& extras) {
  CheckPredicted(model, predicted);
  Check(extras.ids.empty() || extras.ids.size() == predicted.rows(), "predictions: must have ",
        predicted.rows(), " ids, one per row; got ", extras.ids.size());
  Check(extras.values.empty() || extras.values.size() == predicted.rows() * predicted.cols(),
        "predictions: ", extras.values.size(), " values for ", predicted.rows(), " rows of ",
        predicted.cols());
  PredictionFormat format = FormatOf(model, proba);
  format.id_name = extras.id_name;
  format.ids = extras.ids;
  format.header = extras.header;
  format.spreadsheet = extras.spreadsheet;
  if (!extras.values.empty()) {
    format.values = extras.values;
    format.digits = ValueDigits(model.impl().data.targets);
  }
  return PredictionsAsCsv(format, predicted);
}

struct PredictionFile::State {
  NewFile file;
  const Model model;
  const bool proba, npy;
  bool first = true, finished = false;
  std::vector<float> kept = {};  // of .npy, whose head says how many there are
};

PredictionFile::PredictionFile(const std::string& path, const Model& model, bool proba,
                               bool replace)
    : state_(new State{NewFile(path, replace), model, proba, path.ends_with(".npy")}) {}
PredictionFile::~PredictionFile() = default;

void PredictionFile::Add(const Matrix& predicted, PredictionExtras extras) {
  State& s = *state_;
  Check(!s.finished, "predictions: the file is already finished");
  CheckPredicted(s.model, predicted);
  extras.header = std::exchange(s.first, false);
  if (s.npy) {
    s.kept.insert(s.kept.end(), predicted.data(), predicted.Row(predicted.rows()));
  } else {
    s.file.Append(PredictionsCsv(s.model, predicted, s.proba, extras));
  }
}

void PredictionFile::Finish() {
  State& s = *state_;
  Check(!std::exchange(s.finished, true), "predictions: the file is already finished");
  if (s.npy) {
    Matrix all(s.kept.size() / s.model.outputs(), s.model.outputs());
    std::ranges::copy(s.kept, all.data());
    s.kept = {};
    s.file.Append(PredictionsAsNpy(FormatOf(s.model, s.proba), all));
  }
  s.file.Finish();
}

}  // namespace gopnet

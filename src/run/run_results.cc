#include "run/run_results.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/check.h"
#include "base/stop_check.h"
#include "gopnet/model.h"
#include "nn/probability_metrics.h"

namespace gopnet {
namespace {

constexpr size_t kMostConfusions = 3;

std::vector<Confusion> MostConfused(const std::vector<std::string>& classes, const Rows& rows,
                                    const std::vector<int32_t>& predicted) {
  std::map<std::pair<int32_t, int32_t>, long> errors;
  std::map<int32_t, long> of_class;
  for (size_t n = 0; n < predicted.size(); ++n) {
    if (rows.labels[n] < 0) continue;
    ++of_class[rows.labels[n]];
    if (predicted[n] != rows.labels[n]) ++errors[{rows.labels[n], predicted[n]}];
  }
  std::vector<Confusion> found;
  for (const auto& [pair, count] : errors) {
    found.push_back({classes[static_cast<size_t>(pair.first)],
                     classes[static_cast<size_t>(pair.second)], count, of_class[pair.first]});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Confusion& a, const Confusion& b) { return a.rows > b.rows; });
  found.resize(std::min(found.size(), kMostConfusions));
  return found;
}

// Text that any reader of CSV gives back.
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n ") == std::string::npos && !text.empty()) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string Cell(float value) {  // the shortest text that reads back as the same float
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

Matrix TestFeatures(const Prepared& p, const TrainData& data) {
  const bool own = data.test.rows() > 0;
  const MatrixView& from = own ? data.test.x : data.train.x;
  Matrix x(own ? from.rows : p.test_rows.size(), from.cols);
  for (size_t n = 0; n < x.rows(); ++n)
    std::copy_n(from.Row(own ? n : p.test_rows[n]), x.cols(), x.Row(n));
  return x;
}

std::string TargetName(const std::vector<std::string>& names, size_t target, size_t targets) {
  if (targets == 1) return "";
  return " " + (names.size() == targets ? names[target] : std::to_string(target + 1));
}

std::string Header(const Model& model) {
  if (model.task() == Task::kClassification) {
    std::string text = "row,true,predicted";
    for (const std::string& label : model.classes()) text += "," + Cell(label);
    return text;
  }
  std::string text = "row";
  for (const char* kind : {"true", "predicted"}) {
    for (size_t j = 0; j < model.outputs(); ++j)
      text += "," + Cell(kind + TargetName(model.schema().targets, j, model.outputs()));
  }
  return text;
}

// One line a row: its number from 0 in the file that it came from, the truth, what the model says.
std::string TestPredictions(const Prepared& p, const TrainData& data, const Model& model) {
  const bool own = data.test.rows() > 0;
  const Dataset& from = own ? data.test : data.train;
  const Matrix predicted = model.Predict(TestFeatures(p, data));
  std::string csv = Header(model) + "\n";
  for (size_t n = 0; n < predicted.rows(); ++n) {
    const size_t row = own ? n : p.test_rows[n];
    const float* out = predicted.Row(n);
    csv += std::to_string(row);
    if (model.task() == Task::kClassification) {
      const auto best = std::max_element(out, out + predicted.cols()) - out;
      csv += "," + Cell(from.classes[static_cast<size_t>(from.labels[row])]);
      csv += "," + Cell(model.classes()[static_cast<size_t>(best)]);
    } else {
      for (size_t j = 0; j < predicted.cols(); ++j) csv += "," + Cell(from.targets(row, j));
    }
    for (size_t j = 0; j < predicted.cols(); ++j) csv += "," + Cell(out[j]);
    csv += "\n";
  }
  return csv;
}

// Rows of the training file, numbered from 0, and what each was for; fold: the one that it
// validates, from 1, if networks validate on different rows.
std::string SplitText(const Prepared& p) {
  std::vector<std::tuple<size_t, const char*, int>> rows;
  const bool folds = p.folds.count > 0;
  for (size_t i = 0; i < p.train_rows.size(); ++i)
    rows.emplace_back(p.train_rows[i], "train", folds ? p.folds.of_row[i] + 1 : 0);
  for (const size_t row : p.val_rows) rows.emplace_back(row, "val", 0);
  for (const size_t row : p.test_rows) rows.emplace_back(row, "test", 0);
  std::sort(rows.begin(), rows.end());
  std::string csv = folds ? "row,set,fold\n" : "row,set\n";
  for (const auto& [row, set, fold] : rows) {
    csv += std::to_string(row) + "," + set;
    if (folds) csv += fold > 0 ? "," + std::to_string(fold) : ",";
    csv += "\n";
  }
  return csv;
}

}  // namespace

std::vector<TargetMetrics> NamedTargets(const std::vector<std::string>& names,
                                        const std::vector<Metrics>& metrics) {
  std::vector<TargetMetrics> targets;
  for (size_t j = 0; j < metrics.size() && metrics.size() > 1; ++j) {
    targets.push_back(
        {names.size() == metrics.size() ? names[j] : Join("target ", j + 1), metrics[j]});
  }
  return targets;
}

void MeasureParts(const Prepared& p, const TrainedEnsemble& trained, History& h) {
  h.confused.clear();
  const auto keep = [&](const char* part, const Rows& rows, const FullMeasure& measured) {
    h.metrics[part] = measured.metrics;
    const auto targets = NamedTargets(p.model.schema.targets, measured.per_target);
    if (!targets.empty()) h.targets[part] = targets;
    if (part != std::string("train"))
      h.confused = MostConfused(p.model.classes, rows, measured.predicted);
  };
  const auto measure = [&](const Rows& rows) {
    return MeasureFully(p.problem, rows, trained.ensemble, trained.temperature);
  };
  keep("train", p.problem.train, measure(p.problem.train));
  if (p.folds.count > 0) {
    keep("val", trained.held_out,
         MeasureFully(p.problem, trained.held_out, trained.outputs, trained.temperature));
  } else if (p.problem.val.size()) {
    keep("val", p.problem.val, measure(p.problem.val));
  }
  if (p.test.size()) keep("test", p.test, measure(p.test));
}

RunStore::Files ResultFiles(const Prepared& p, const TrainData& data, const Model& model,
                            bool split) {
  const StopCheck none;  // the network is there: a wish to stop waits until it is kept
  RunStore::Files files;
  if (p.test.size() > 0) files["test_predictions.csv"] = TestPredictions(p, data, model);
  if (split) files["split.csv"] = SplitText(p);
  return files;
}

}  // namespace gopnet

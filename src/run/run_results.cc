#include "run/run_results.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/checksum.h"
#include "base/files.h"
#include "base/stop_check.h"
#include "data/csv_text.h"
#include "gopnet/model.h"
#include "nn/probability_metrics.h"
#include "nn/temperature.h"
#include "nn/yardstick.h"
#include "run/run_folder.h"

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

std::string TargetName(const std::vector<std::string>& names, size_t target, size_t targets) {
  if (targets == 1) return "";
  return " " + (names.size() == targets ? names[target] : std::to_string(target + 1));
}

// In the file.
size_t NumberOf(const Dataset& data, size_t row) {
  return data.row_numbers.empty() ? row : data.row_numbers[row];
}

// The test rows, one line each: its number from 0 in the file that it came from, the truth, what
// the model says.
class TestTable {
 public:
  TestTable(const Prepared& p, const TrainData& data, const Model& model)
      : own_(data.test.rows() > 0),
        numbers_(p.test_rows),
        from_(own_ ? data.test : data.train),
        model_(model),
        digits_(ValueDigits(p.model.targets)) {}

  // A chunk at a time: there may be many.
  void Write(const std::string& path) const {
    constexpr size_t kRows = 4096;
    NewFile file(path);
    file.Append(Header());
    for (size_t first = 0; first < size(); first += kRows)
      file.Append(Lines(first, std::min(first + kRows, size())));
    file.Finish();
  }

 private:
  size_t size() const { return own_ ? from_.rows() : numbers_.size(); }
  size_t Number(size_t n) const { return own_ ? n : numbers_[n]; }

  std::string Header() const {
    std::string csv = "row";
    const std::string& id = from_.schema.id;
    const bool taken = id.empty() || id == "row" || id == "true" || id == "predicted" ||
                       std::ranges::count(model_.classes(), id) > 0;
    if (!from_.ids.empty()) AppendCell(taken ? "id" : id, &(csv += ','));
    if (model_.task() == Task::kClassification) {
      csv += ",true,predicted";
      for (const std::string& label : model_.classes()) AppendCell(label, &(csv += ','));
      return csv + "\n";
    }
    for (const char* kind : {"true", "predicted"}) {
      for (size_t j = 0; j < model_.outputs(); ++j)
        AppendCell(kind + TargetName(model_.schema().targets, j, model_.outputs()), &(csv += ','));
    }
    return csv + "\n";
  }

  std::string Lines(size_t first, size_t end) const {
    Matrix x(end - first, from_.features());
    for (size_t n = first; n < end; ++n)
      std::copy_n(from_.x.Row(Number(n)), x.cols(), x.Row(n - first));
    const bool classes = model_.task() == Task::kClassification;
    const Matrix chances = classes ? model_.Predict(x) : Matrix();
    const std::vector<double> values = classes ? std::vector<double>() : model_.PredictValues(x);
    std::string csv;
    for (size_t n = 0; n < x.rows(); ++n) {
      const size_t row = Number(first + n);
      csv += std::to_string(NumberOf(from_, row));
      if (!from_.ids.empty()) AppendCell(from_.ids[row], &(csv += ','));
      if (classes) {
        AppendClasses(row, chances.Row(n), &csv);
      } else {
        AppendValues(row, &values[n * model_.outputs()], &csv);
      }
      csv += "\n";
    }
    return csv;
  }

  void AppendClasses(size_t row, const float* chances, std::string* csv) const {
    const size_t classes = model_.classes().size();
    const auto best = std::max_element(chances, chances + classes) - chances;
    AppendCell(from_.classes[static_cast<size_t>(from_.labels[row])], &(*csv += ','));
    AppendCell(model_.classes()[static_cast<size_t>(best)], &(*csv += ','));
    for (size_t j = 0; j < classes; ++j) AppendNumber(chances[j], &(*csv += ','));
  }

  void AppendValues(size_t row, const double* values, std::string* csv) const {
    for (size_t j = 0; j < digits_.size(); ++j) {
      const double offset = from_.target_offset.empty() ? 0 : from_.target_offset[j];
      AppendValue(static_cast<double>(from_.targets(row, j)) + offset, digits_[j], &(*csv += ','));
    }
    for (size_t j = 0; j < digits_.size(); ++j) AppendValue(values[j], digits_[j], &(*csv += ','));
  }

  const bool own_;  // they came in a file of their own
  const std::vector<size_t>& numbers_;
  const Dataset& from_;
  const Model& model_;
  const std::vector<int> digits_;
};

// Rows of the training file, numbered from 0, and what each was for; fold: the one that it
// validates, from 1, if networks validate on different rows.
std::string SplitText(const Prepared& p, const Dataset& train) {
  std::vector<std::tuple<size_t, const char*, int>> rows;
  const bool folds = p.folds.count > 0;
  for (size_t i = 0; i < p.train_rows.size(); ++i)
    rows.emplace_back(p.train_rows[i], "train", folds ? p.folds.of_row[i] + 1 : 0);
  for (const size_t row : p.val_rows) rows.emplace_back(row, "val", 0);
  for (const size_t row : p.test_rows) rows.emplace_back(row, "test", 0);
  std::sort(rows.begin(), rows.end());
  std::string csv = folds ? "row,set,fold\n" : "row,set\n";
  for (const auto& [row, set, fold] : rows) {
    csv += std::to_string(NumberOf(train, row)) + "," + set;
    if (folds) csv += fold > 0 ? "," + std::to_string(fold) : ",";
    csv += "\n";
  }
  return csv;
}

}  // namespace

double ChooseTemperature(const Prepared& p, const TrainedEnsemble& trained) {
  constexpr double kMostTheta = 3;
  if (p.problem.task != Task::kClassification) return 1;
  const Rows& rows = trained.held_out;
  if (p.problem.softmax()) {  // rows that are all right would ask for any certainty
    double theta = 1;
    if (rows.size() >= kRowsForTemperature)
      theta = FitTemperature(trained.outputs, rows);
    else if (p.problem.val.size() >= kRowsForTemperature)
      theta = FitTemperature(Outputs(trained.ensemble, p.problem.val.x.view()), p.problem.val);
    return std::clamp(theta, 1 / kMostTheta, kMostTheta);
  }
  if (rows.size() > 0) return FitTemperature(trained.outputs, rows);
  return FitTemperature(Outputs(trained.ensemble, p.problem.selection().x.view()),
                        p.problem.selection());
}

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
  const std::vector<Layer>& layers = trained.ensemble.first().layers;
  for (size_t k = 0; k < h.layers.size() && k < layers.size(); ++k) {
    const auto& memory = layers[k].memory;
    h.layers[k].memory =
        memory ? MemoryRecord{memory->type, static_cast<int>(memory->dims())} : MemoryRecord{};
  }
  h.parameters = static_cast<long>(trained.ensemble.parameters());
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
    h.data["held_out"] = static_cast<long>(trained.held_out.size());
    keep("val", trained.held_out,
         MeasureFully(p.problem, trained.held_out, trained.outputs, trained.temperature));
  } else if (p.problem.val.size()) {
    keep("val", p.problem.val, measure(p.problem.val));
  }
  if (p.test.size()) keep("test", p.test, measure(p.test));
}

std::map<std::string, Metrics> MeasureYardsticks(const Prepared& p, const History& history,
                                                 int threads) {
  const StopCheck none;  // the network is there: a wish to stop waits until it is kept
  if (p.test.size()) return Yardsticks(p.problem, p.test, threads);
  if (p.folds.count == 0) return Yardsticks(p.problem, p.problem.selection(), threads);
  std::set<int> folds;  // few networks do not need all of them
  for (const MemberRecord& member : history.members)
    if (member.fold >= 0) folds.insert(member.fold);
  return FoldYardsticks(p.problem, p.folds.of_row, folds, threads);
}

RunStore::Sums WriteResults(const TrainOptions& options, const Prepared& p, const TrainData& data,
                            const Model& model, const std::string& report, Observer& observer) {
  const StopCheck none;  // the network is there: a wish to stop waits until it is kept
  RunStore::Sums sums;
  const auto add = [&](const char* name, const auto& write) {
    try {
      const std::string path = InFolder(options.run_folder, name);
      write(path);
      sums[name] = Checksum(FileMap(path).bytes());
    } catch (const Changed&) {  // the rows: then the network may be wrong, too
      throw;
    } catch (const std::exception& e) {
      observer.OnWarning(e.what());
    }
  };
  const auto text = [](const std::string& bytes) {
    return [&bytes](const std::string& path) { WriteFileAtomically(path, bytes); };
  };
  if (p.test.size() > 0)
    add("test_predictions.csv",
        [&](const std::string& path) { TestTable(p, data, model).Write(path); });
  if (options.save_split) add("split.csv", text(SplitText(p, data.train)));
  if (!report.empty()) add(kReportFile, text(report));
  return sums;
}

}  // namespace gopnet

#include "gopnet/importance.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/check.h"
#include "base/names.h"
#include "base/parse_json.h"
#include "base/real_math.h"
#include "base/rng.h"
#include "base/threads.h"
#include "data/csv_text.h"
#include "gopnet/error.h"
#include "model/model_impl.h"
#include "run/check_data.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

constexpr size_t kPredictedRows = 1024;  // rows that are copied and predicted at a time

// A column of the table: the features that it became.
struct Source {
  std::string name;
  size_t first = 0;
  size_t count = 0;
};

std::vector<Source> Sources(const Model& model) {
  std::vector<Source> sources;
  const std::vector<std::string> names = model.schema().FeatureNames();
  size_t first = 0;
  for (const Column& column : model.schema().columns) {
    sources.push_back(
        {column.name.empty() ? names.at(first) : column.name, first, column.features()});
    first += sources.back().count;
  }
  return sources;
}

// Accuracy, or r2 as the mean over targets, from predictions chunk by chunk.
class Scorer {
 public:
  Scorer(const Model& model, const Dataset& data)
      : model_(model),
        data_(data),
        class_of_(NumbersOf(data.classes, model.classes())),
        errors_(model.outputs()) {}

  void Add(size_t first, const Matrix& x) {
    if (model_.task() == Task::kClassification) {
      const std::vector<int> predicted = model_.PredictClass(x);
      for (size_t n = 0; n < x.rows(); ++n)
        hits_ += predicted[n] == class_of_[static_cast<size_t>(data_.labels[first + n])];
      return;
    }
    const std::vector<double> predicted = model_.PredictValues(x);
    for (size_t n = 0; n < x.rows(); ++n) {
      for (size_t j = 0; j < errors_.size(); ++j) {  // less the offset, as the targets are
        const double value = predicted[n * errors_.size() + j] - Offset(j);
        errors_[j] += real::Square(value - static_cast<double>(data_.targets(first + n, j)));
      }
    }
  }

  double Score() const {
    if (model_.task() == Task::kClassification)
      return static_cast<double>(hits_) / static_cast<double>(data_.rows());
    double sum = 0;
    for (size_t j = 0; j < errors_.size(); ++j) sum += R2(j);
    return sum / static_cast<double>(errors_.size());
  }

 private:
  double Offset(size_t target) const {
    return data_.target_offset.empty() ? 0 : data_.target_offset[target];
  }

  double R2(size_t target) const {
    double mean = 0, total = 0;
    for (size_t n = 0; n < data_.rows(); ++n)
      mean += static_cast<double>(data_.targets(n, target)) / static_cast<double>(data_.rows());
    for (size_t n = 0; n < data_.rows(); ++n)
      total += real::Square(static_cast<double>(data_.targets(n, target)) - mean);
    return total > 0 ? 1 - errors_[target] / total : (errors_[target] > 0 ? 0.0 : 1.0);
  }

  const Model& model_;
  const Dataset& data_;
  const std::vector<int32_t>
      class_of_;  // the model's number of each class of the data; -1: it has none
  long hits_ = 0;
  std::vector<double> errors_;  // squared, by target
};

// The score if the features of `source` come from the rows that `order` says; null: their own.
double ScoreShuffled(const Model& model, const Dataset& data, const Source& source,
                     const std::vector<uint32_t>* order) {
  Scorer scorer(model, data);
  for (size_t first = 0; first < data.rows(); first += kPredictedRows) {
    Matrix x(std::min(kPredictedRows, data.rows() - first), data.features());
    for (size_t n = 0; n < x.rows(); ++n) {
      std::copy_n(data.x.Row(first + n), x.cols(), x.Row(n));
      if (order == nullptr) continue;
      const float* other = data.x.Row((*order)[first + n]) + source.first;
      std::copy_n(other, source.count, x.Row(n) + source.first);
    }
    scorer.Add(first, x);
  }
  return scorer.Score();
}

ColumnImportance Summarise(const std::string& name, const double* drops, size_t repeats) {
  const auto count = static_cast<double>(repeats);
  ColumnImportance column{name};
  column.mean = std::accumulate(drops, drops + repeats, 0.0) / count;
  double squares = 0;
  for (size_t i = 0; i < repeats; ++i) squares += real::Square(drops[i] - column.mean);
  column.std = std::sqrt(squares / std::max(count - 1, 1.0));
  return column;
}

std::vector<ColumnImportance> Sorted(const Importance& importance) {
  std::vector<ColumnImportance> columns = importance.columns;
  std::ranges::stable_sort(columns, std::ranges::greater(), &ColumnImportance::mean);
  return columns;
}

}  // namespace

Importance PermutationImportance(const Model& model, const Dataset& data,
                                 const ImportanceOptions& options) {
  const std::string name = NameOf(data, "importance");
  CheckLabelled(model.impl().data, data, name);
  Check(data.rows() >= 2, name, ": needs at least 2 rows; got ", data.rows());
  Check(options.repeats >= 1, "importance: repeats must be at least 1; got ", options.repeats);
  const std::vector<Source> sources = Sources(model);
  const auto repeats = static_cast<size_t>(options.repeats);
  Importance result;
  result.metric = model.task() == Task::kClassification ? "accuracy" : "r2";
  result.score = ScoreShuffled(model, data, {}, nullptr);
  result.rows = data.rows();
  result.repeats = options.repeats;
  std::vector<double> drops(sources.size() * repeats);
  ParallelFor(drops.size(), ThreadCount(options.threads), [&](size_t task, int) {
    if (options.go_on && !options.go_on()) throw Stopped("stopped on request");
    const size_t column = task / repeats;
    const StreamKey key{options.seed, static_cast<uint32_t>(column), 0, 0};
    std::vector<uint32_t> order(data.rows());
    Shuffle(Rng(key, Purpose::kPermutation, static_cast<uint32_t>(task % repeats)), order);
    drops[task] = result.score - ScoreShuffled(model, data, sources[column], &order);
  });
  for (size_t c = 0; c < sources.size(); ++c)
    result.columns.push_back(Summarise(sources[c].name, &drops[c * repeats], repeats));
  return result;
}

std::string ToJson(const Importance& importance, int indent) {
  nlohmann::ordered_json json{{"metric", importance.metric},
                              {"score", importance.score},
                              {"rows", importance.rows},
                              {"repeats", importance.repeats}};
  json["importances"] = nlohmann::ordered_json::array();
  for (const ColumnImportance& c : Sorted(importance))
    json["importances"].push_back({{"name", c.name},
                                   {"mean", c.mean},
                                   {"std", importance.repeats > 1 ? nlohmann::ordered_json(c.std)
                                                                  : nlohmann::ordered_json()}});
  return JsonText(json, indent);
}

std::string ToCsv(const Importance& importance) {
  std::string csv = "name,mean,std\n";
  for (const ColumnImportance& c : Sorted(importance)) {
    AppendQuoted(c.name, &csv);
    AppendNumber(c.mean, &(csv += ','));
    csv += ',';
    if (importance.repeats > 1) AppendNumber(c.std, &csv);
    csv += '\n';
  }
  return csv;
}

}  // namespace gopnet

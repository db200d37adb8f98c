#include "run/cross_validate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "base/parse_json.h"
#include "base/rng.h"
#include "base/threads.h"
#include "data/canonical_order.h"
#include "run/json_values.h"
#include "run/train_run.h"
#include "train/config.h"

namespace gopnet {
namespace {

// Of a training that is one of many: its warnings, and whether to go on.
class FoldObserver : public Observer {
 public:
  using Clock = std::chrono::steady_clock;
  FoldObserver(Observer& outer, double seconds) : outer_(outer) {
    if (seconds > 0)
      end_ = Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  void OnWarning(const std::string& text) override { outer_.OnWarning(text); }
  bool Continue() override { return !late() && outer_.Continue(); }
  bool late() const { return end_ && Clock::now() >= *end_; }

 private:
  Observer& outer_;
  std::optional<Clock::time_point> end_;
};

// The fold of each row. Rows of one class are dealt out in turn, so that each fold has its share of
// them. order: the rows that count, as training would have them.
std::vector<int> FoldOfRows(const Dataset& data, std::vector<size_t> order,
                            const CommonConfig& config, int folds) {
  Check(static_cast<size_t>(folds) <= order.size() / 2, "cv: ", folds, " folds of ", order.size(),
        " rows given, at least 2 rows a fold are wanted");
  Rng rng({config.split_seed != 0 ? config.split_seed : config.seed, 0, 0, 0}, Purpose::kSplit, 3);
  for (size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[rng.Next64() % n]);
  if (!data.labels.empty() && config.stratify) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return data.labels[a] < data.labels[b]; });
  }
  std::vector<int> fold_of(data.rows());
  for (size_t i = 0; i < order.size(); ++i)
    fold_of[order[i]] = static_cast<int>(i % static_cast<size_t>(folds));
  return fold_of;
}

// A copy of these rows.
Dataset RowsOf(const Dataset& data, const std::vector<size_t>& rows) {
  const auto x = std::make_shared<Matrix>(rows.size(), data.features());
  Dataset part = data;
  part.labels.clear();
  part.weights.clear();
  part.ids.clear();
  part.row_numbers.clear();
  part.targets = Matrix(data.targets.rows() > 0 ? rows.size() : 0, data.targets.cols());
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(data.x.Row(rows[i]), data.features(), x->Row(i));
    if (!data.labels.empty()) part.labels.push_back(data.labels[rows[i]]);
    if (!data.weights.empty()) part.weights.push_back(data.weights[rows[i]]);
    if (part.targets.rows() > 0)
      std::copy_n(data.targets.Row(rows[i]), data.targets.cols(), part.targets.Row(i));
  }
  part.x = *x;
  part.owner = x;
  return part;
}

}  // namespace

double CrossValidation::Mean() const {
  double sum = 0;
  for (const Metrics& fold : scores) sum += fold.at(metric);
  return sum / static_cast<double>(scores.size());
}

double CrossValidation::Deviation() const {
  double squares = 0;
  for (const Metrics& fold : scores) squares += std::pow(fold.at(metric) - Mean(), 2);
  return std::sqrt(squares / static_cast<double>(std::max<size_t>(scores.size(), 2) - 1));
}

double CrossValidation::Error() const {
  return Deviation() / std::sqrt(static_cast<double>(scores.size()));
}

CrossValidation CrossValidate(const Algorithm& algorithm, Values values, const TrainData& data,
                              const TrainOptions& whole, Observer& observer, RunStore& store) {
  const auto config = ReadConfig<CommonConfig>(values);
  values["test_split"] = "0";  // the fold is the test
  const int folds = whole.cv_folds;
  Check(folds >= 2, "cv: ", folds, " given, at least 2 folds are wanted");
  const std::vector<size_t> order = CanonicalOrder(data.train);
  const std::vector<int> fold_of = FoldOfRows(data.train, order, config, folds);
  CrossValidation cv{data.train.task == Task::kClassification ? "accuracy" : "r2", folds};
  const auto stage = [folds](int fold) { return Join("fold-", fold + 1, "-of-", folds); };
  int missing = 0;
  for (int fold = 0; fold < folds; ++fold) missing += !store.Load(stage(fold));
  FoldObserver quiet(observer, whole.seconds_left * missing / (missing + 1));
  TrainOptions options;
  options.observer = &quiet;
  options.memory_limit = whole.memory_limit;
  RunSetup setup;
  setup.threads = ThreadCount(config.threads);
  for (int fold = 0; fold < folds; ++fold) {
    if (const auto kept = store.Load(stage(fold))) {
      cv.scores.push_back(MetricsFromJson(ParseJson<nlohmann::ordered_json>(*kept)));
      continue;
    }
    if (quiet.late()) continue;
    std::vector<size_t> others, own;
    for (const size_t row : order) (fold_of[row] == fold ? own : others).push_back(row);
    const TrainData part{RowsOf(data.train, others), data.val, RowsOf(data.train, own)};
    try {
      cv.scores.push_back(
          TrainRun(algorithm, values, part, options, setup).history.metrics.at("test"));
    } catch (const Stopped&) {
      if (!quiet.late()) throw;
      continue;
    }
    store.Save(stage(fold), JsonText(MetricsJson(cv.scores.back())));
    observer.OnFold(fold + 1, folds, cv.scores.back());
  }
  if (cv.scores.size() < static_cast<size_t>(folds))
    observer.OnWarning(Join("cross-validation: its share of the time is over after ",
                            cv.scores.size(), " of ", folds, " folds"));
  return cv;
}

}  // namespace gopnet

// An honest estimate of what a training gives: folds that are stages of its run.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/archive.h"
#include "base/file_map.h"
#include "base/real_math.h"
#include "base/threads.h"
#include "data/canonical_order.h"
#include "run/check_data.h"
#include "run/prepare.h"
#include "run/train_run.h"

namespace gopnet {
namespace {

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

// What is left without a fold must tell something to learn.
void CheckFolds(const Dataset& data, int folds, const DealtRows& dealt) {
  const bool classes = !data.labels.empty();
  const auto same = [&](size_t a, size_t b) {
    return classes ? data.labels[a] == data.labels[b]
                   : std::equal(data.targets.Row(a), data.targets.Row(a) + data.targets.cols(),
                                data.targets.Row(b));
  };
  for (int fold = 0; fold < folds; ++fold) {
    const auto outside = [&](size_t row) { return dealt.fold_of[row] != fold; };
    const size_t first = *std::ranges::find_if(dealt.order, outside);
    const bool differ = std::ranges::any_of(
        dealt.order, [&](size_t row) { return outside(row) && !same(row, first); });
    Check(differ, NameOf(data, "training data"), ": --cv ", folds, ": the rows outside fold ",
          fold + 1, " all have ",
          classes ? Join("class '", data.classes[static_cast<size_t>(data.labels[first])], "'")
                  : "the same targets",
          "; use fewer folds");
  }
}

}  // namespace

DealtRows DealRows(const Values& values, const Dataset& data, int folds) {
  Check(folds >= 2, "cv: must be at least 2 folds; got ", folds);
  DealtRows dealt{CanonicalOrder(data), {}};
  Check(static_cast<size_t>(folds) <= dealt.order.size() / 2, "cv: ", folds,
        " folds need at least ", 2 * folds, " rows; got ", dealt.order.size());
  dealt.fold_of = DealToFolds(dealt.order, data.labels, folds, ReadConfig<CommonConfig>(values), 3);
  CheckFolds(data, folds, dealt);
  return dealt;
}

std::vector<double> CrossValidation::Of(const std::string& name) const {
  std::vector<double> values;
  for (const Metrics& fold : scores) {
    const auto found = fold.find(name);
    if (found != fold.end() && (name == metric || std::isfinite(found->second)))
      values.push_back(found->second);
  }
  return values;
}

double CrossValidation::Mean(const std::string& name) const {
  double sum = 0;
  const std::vector<double> values = Of(name);
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double CrossValidation::Deviation(const std::string& name) const {
  double squares = 0;
  const std::vector<double> values = Of(name);
  for (const double value : values) squares += real::Square(value - Mean(name));
  return std::sqrt(squares / static_cast<double>(std::max<size_t>(values.size(), 2) - 1));
}

double CrossValidation::Error(const std::string& name) const {
  return Deviation(name) / std::sqrt(static_cast<double>(Of(name).size()));
}

CrossValidation CrossValidate(const Algorithm& algorithm, Values values, const TrainData& data,
                              const DealtRows& dealt, const TrainOptions& whole, Observer& observer,
                              RunStore& store) {
  const auto config = ReadConfig<CommonConfig>(values);
  values["test_split"] = "0";  // the fold is the test
  const int folds = whole.cv_folds;
  const Task task = data.train.task;
  const bool by_loss = config.loss.Chosen(task).selects;
  CrossValidation cv{by_loss ? "loss" : task == Task::kClassification ? "accuracy" : "r2", folds};
  const auto stage = [folds](int fold) { return Join("fold-", fold + 1, "-of-", folds); };
  const auto kept = [&](int fold) -> std::optional<Metrics> {
    const auto bytes = store.Load(stage(fold));
    if (!bytes) return std::nullopt;
    return FromState<Metrics>(*bytes, [](const Metrics&) {});  // else it is trained again
  };
  int missing = 0;
  for (int fold = 0; fold < folds; ++fold) missing += !kept(fold);
  const Stopwatch watch;
  const double limit = whole.seconds_left * missing / (missing + 1);
  const auto late = [&] { return limit > 0 && watch.Seconds() >= limit; };
  std::set<std::string> told;  // of one fold, most hold for all
  PartObserver quiet(
      [&](const std::string& text) {
        if (told.insert(text).second) observer.OnWarning(text);
      },
      [&] { return !late() && observer.Continue(); });
  TrainOptions options;
  options.observer = &quiet;
  options.memory_limit = whole.memory_limit;
  for (int fold = 0; fold < folds; ++fold) {
    if (const auto metrics = kept(fold)) {
      cv.scores.push_back(*metrics);
      continue;
    }
    if (late()) continue;
    std::vector<size_t> others, own;
    for (const size_t row : dealt.order) (dealt.fold_of[row] == fold ? own : others).push_back(row);
    const TrainData part{RowsOf(data.train, others), data.val, RowsOf(data.train, own)};
    ForgetPages(data.train.x.data);
    try {
      const TrainResult trained =
          TrainRun(algorithm, values, part, options, {.threads = ThreadCount(config.threads)});
      cv.scores.push_back(trained.history.metrics.at("test"));
    } catch (const Stopped&) {
      if (!late()) throw;
      continue;
    }
    store.Save(stage(fold), ToState(cv.scores.back()));
    observer.OnFold(fold + 1, folds, cv.scores.back());
  }
  if (cv.scores.size() < static_cast<size_t>(folds))
    observer.OnWarning(Join("cross-validation: stopped after ", cv.scores.size(), " of ", folds,
                            " folds because its share of the time limit is used up"));
  return cv;
}

}  // namespace gopnet

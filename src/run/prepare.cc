#include "run/prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "base/rng.h"
#include "base/stop_check.h"
#include "data/canonical_order.h"
#include "data/known_texts.h"
#include "data/splits.h"
#include "nn/metric.h"
#include "run/check_data.h"
#include "run/class_weights.h"
#include "run/fit_scaling.h"
#include "run/warn_of_rows.h"

namespace gopnet {
namespace {

// With more rows than this the networks of an ensemble validate on the same ones: others would
// hardly make them differ, and each needs a copy of its own.
constexpr size_t kOwnRows = 20'000;

Rng SplitRng(const CommonConfig& config, uint32_t stream) {
  const uint64_t seed = config.split_seed != 0 ? config.split_seed : config.seed;
  return Rng({seed, 0, 0, 0}, Purpose::kSplit, stream);
}

// Takes a part of `order` away, if there are rows enough for two parts.
std::vector<size_t> HoldOut(const Dataset& train, double fraction, const CommonConfig& config,
                            uint32_t stream, std::vector<size_t>& order) {
  if (fraction <= 0 || order.size() < 3) return {};
  Rng rng = SplitRng(config, stream);
  const auto random = [&rng] { return rng.Next64(); };
  std::vector<int32_t> labels;
  if (train.task == Task::kClassification && config.stratify)
    for (const size_t row : order) labels.push_back(train.labels[row]);
  const Split split = labels.empty() ? RandomSplit(order.size(), fraction, random)
                                     : StratifiedSplit(labels, fraction, random);
  const auto pick = [&](const std::vector<size_t>& positions) {
    std::vector<size_t> rows;
    for (const size_t p : positions) rows.push_back(order[p]);
    return rows;
  };
  std::vector<size_t> held = pick(split.second);
  order = pick(split.first);
  return held;
}

// Without the rows of a class that training does not know.
Rows Labelled(const Rows& all) {
  std::vector<size_t> rows;
  for (size_t n = 0; n < all.size(); ++n)
    if (all.labels.empty() || all.labels[n] >= 0) rows.push_back(n);
  return rows.size() == all.size() ? all : PickRows(all, rows);
}

Rows Append(const Rows& a, const Rows& b) {
  Rows all;
  const auto join = [](const Mat& upper, const Mat& lower) {
    Mat both(upper.rows() + lower.rows(), upper.cols(), upper.stride());
    CopyRows(upper.view(), both.view());
    CopyRows(lower.view(), both.view().Rows(upper.rows(), lower.rows()));
    return both;
  };
  all.x = join(a.x, b.x);
  if (a.targets.rows() > 0) all.targets = join(a.targets, b.targets);
  all.labels = a.labels;
  all.labels.insert(all.labels.end(), b.labels.begin(), b.labels.end());
  if (!a.weights.empty() || !b.weights.empty()) {
    all.weights = a.weights.empty() ? std::vector<float>(a.size(), 1.0f) : a.weights;
    const std::vector<float> more =
        b.weights.empty() ? std::vector<float>(b.size(), 1.0f) : b.weights;
    all.weights.insert(all.weights.end(), more.begin(), more.end());
  }
  return all;
}

// "a, b": the names of those that pass.
template <class Item, class Pass>
std::string NamesOf(const std::vector<Item>& items, const Pass& pass) {
  std::vector<std::string> names;
  for (const Item& item : items)
    if (pass(item)) names.emplace_back(item.name);
  return JoinList(names, ", ");
}

void ChooseMeasure(const CommonConfig& config, bool ensemble, Problem& problem) {
  const bool classes = problem.task == Task::kClassification;
  const char* task = classes ? "classification" : "regression";
  const Loss& loss = config.loss.Chosen(problem.task);
  Check(loss.For(problem.task), "parameter loss: must be one of ",
        NamesOf(AllLosses(), [&](const Loss& each) { return each.For(problem.task); }), " for ",
        task, "; got '", loss.name, "'");
  problem.objective = config.loss.Make(problem.task);
  std::string name = config.metric;
  if (name == "auto") {
    // Several networks are chosen and averaged by their probabilities, not by their classes.
    const bool brier = ensemble && problem.softmax();
    name = loss.selects ? "loss" : !classes ? "r2" : brier ? "brier" : "accuracy";
  }
  problem.metric = FindMetric(name);
  Problem usual;
  usual.task = problem.task;
  const auto fits = [&](const Metric& metric) { return metric.selects && metric.Fits(usual); };
  Check(fits(*problem.metric), "parameter metric: must be one of ", NamesOf(AllMetrics(), fits),
        " for ", task, "; got '", name, "'");
  Check(problem.metric->Fits(problem), "parameter metric: ", name,
        " needs loss cross_entropy; use accuracy or loss");
}

// Classes of the rows that count, in the data's order; errors for fewer than two.
std::vector<std::string> PresentClasses(const Dataset& train, const std::vector<size_t>& order) {
  std::vector<bool> present(train.classes.size());
  for (const size_t row : order) present[static_cast<size_t>(train.labels[row])] = true;
  std::vector<std::string> classes;
  for (size_t c = 0; c < present.size(); ++c) {
    if (present[c]) classes.push_back(train.classes[c]);
  }
  Check(classes.size() >= 2, NameOf(train, "training data"),
        ": needs at least two classes; the only one is '", classes.empty() ? "" : classes.front(),
        "'");
  return classes;
}

// What a model takes from its data before they are split.
ModelData StartModel(const Dataset& train, const std::vector<size_t>& order) {
  ModelData model;
  model.task = train.task;
  model.schema = train.schema;
  SettleNames(model.schema);
  if (model.schema.columns.empty()) model.schema.columns.resize(train.features());
  if (train.task == Task::kClassification) model.classes = PresentClasses(train, order);
  model.integer_classes = train.integer_classes;
  return model;
}

// r2 is undefined for a constant target.
void CheckTargetsVary(const Dataset& train, const std::vector<size_t>& order) {
  const float* first = train.targets.Row(order.front());
  const bool vary = std::any_of(order.begin(), order.end(), [&](size_t row) {
    return !std::equal(first, first + train.targets.cols(), train.targets.Row(row));
  });
  const double offset = train.target_offset.empty() ? 0 : train.target_offset[0];
  Check(vary, NameOf(train, "training data"), ": the target must vary; it is ", *first + offset,
        " in every row");
}

bool IsBounded(BoundedChoice choice, const Schema& schema) {
  const bool dated = std::any_of(schema.columns.begin(), schema.columns.end(),
                                 [](const Column& column) { return !column.date.empty(); });
  return choice == BoundedChoice::kAlways || (choice == BoundedChoice::kAuto && !dated);
}

void Include(const Dataset& data, const std::vector<size_t>& rows, ValueRange& bounds) {
  for (const size_t row : rows) {
    for (size_t j = 0; j < data.targets.cols(); ++j)
      bounds.Include(
          j, data.targets(row, j) + (data.target_offset.empty() ? 0 : data.target_offset[j]));
  }
}

ValueRange RangeOfTargets(const Dataset& data, const std::vector<size_t>& rows) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const size_t targets = data.targets.cols();
  ValueRange range{std::vector<double>(targets, kInfinite),
                   std::vector<double>(targets, -kInfinite)};
  Include(data, rows, range);
  return range;
}

Scaling FitTargets(const Dataset& train, const std::vector<size_t>& rows, bool unit) {
  const size_t targets = train.targets.cols();
  const auto value = [&](size_t n, size_t j) { return static_cast<double>(train.targets(n, j)); };
  Scaling scaling = unit ? UnitScaling(targets, rows, value)
                         : FitScaling(ScaleChoice::kStandard, targets, rows, value);
  for (size_t j = 0; j < train.target_offset.size(); ++j) scaling.mean[j] += train.target_offset[j];
  return scaling;
}

}  // namespace

int FoldCount(const TrainData& data, const CommonConfig& config, bool ensemble, size_t rows) {
  const auto most = static_cast<int>(std::min<size_t>(rows / 2, 255));
  if (config.folds > 1) return std::min(config.folds, most);
  if (!ensemble || data.val.rows() > 0 || config.val_split <= 0 || config.val_split > 0.5 ||
      rows > kOwnRows)
    return 0;
  return std::clamp(static_cast<int>(std::lround(1 / config.val_split)), 2, std::max(2, most));
}

std::vector<int> DealToFolds(std::vector<size_t> rows, const std::vector<int32_t>& labels,
                             int folds, const CommonConfig& config, uint32_t stream) {
  std::vector<int> fold_of(rows.empty() ? 0 : 1 + *std::ranges::max_element(rows));
  Rng rng = SplitRng(config, stream);
  for (size_t n = rows.size(); n > 1; --n) std::swap(rows[n - 1], rows[rng.Next64() % n]);
  if (!labels.empty() && config.stratify)
    std::ranges::stable_sort(rows, {}, [&](size_t row) { return labels[row]; });
  for (size_t i = 0; i < rows.size(); ++i)
    fold_of[rows[i]] = static_cast<int>(i % static_cast<size_t>(folds));
  return fold_of;
}

std::vector<size_t> AllRows(size_t count) {
  std::vector<size_t> rows(count);
  std::iota(rows.begin(), rows.end(), size_t{0});
  return rows;
}

std::vector<int32_t> NumbersOf(const std::vector<std::string>& names,
                               const std::vector<std::string>& list) {
  const KnownTexts known(list);
  std::vector<int32_t> numbers;
  for (const std::string& name : names) {
    const size_t place = known.Find(name);
    numbers.push_back(place == KnownTexts::kNone ? -1 : static_cast<int32_t>(place));
  }
  return numbers;
}

Rows EncodeRows(const Dataset& data, const std::vector<size_t>& source, const ModelData& model,
                bool one_hot) {
  Rows rows;
  const size_t count = source.size();
  rows.x = Mat(count, data.features(), data.features());
  for (size_t i = 0; i < count; ++i) {
    StopCheck::AskAt(i);
    model.features.Apply(data.x.Row(source[i]), rows.x.Row(i));
  }
  if (data.task == Task::kRegression) {
    rows.targets = Mat(count, data.targets.cols());
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = 0; j < data.targets.cols(); ++j) {
        const double y = static_cast<double>(data.targets(source[i], j)) +
                         (data.target_offset.empty() ? 0 : data.target_offset[j]);
        rows.targets.Row(i)[j] =
            static_cast<float>((y - model.targets.mean[j]) / model.targets.scale[j]);
      }
    }
    return rows;
  }
  const std::vector<int32_t> map = NumbersOf(data.classes, model.classes);
  for (size_t i = 0; i < count; ++i)
    rows.labels.push_back(map[static_cast<size_t>(data.labels[source[i]])]);
  if (!one_hot) return rows;
  rows.targets = Mat(count, model.classes.size());
  for (size_t i = 0; i < count; ++i) {
    if (rows.labels[i] >= 0) rows.targets.Row(i)[rows.labels[i]] = 1;
  }
  return rows;
}

std::map<std::string, long> RowCounts(const Prepared& p) {
  std::map<std::string, long> counts{
      {"train", static_cast<long>(p.problem.train.size())},
      {"val", static_cast<long>(p.problem.val.size())},
      {"test", static_cast<long>(p.test.size())},
      {"features", static_cast<long>(p.problem.train.x.cols())},
      {p.problem.task == Task::kClassification ? "classes" : "targets",
       static_cast<long>(p.problem.outputs)}};
  if (p.folds.count > 0) counts["folds"] = p.folds.count;
  return counts;
}

Prepared Prepare(const Algorithm& algorithm, const Values& values, const TrainData& data,
                 Runtime& rt) {
  const auto config = ReadConfig<CommonConfig>(values);
  const bool ensemble = IsEnsemble(values);
  const Dataset& train = data.train;
  const std::string name = NameOf(train, "training data");
  Check(train.features() > 0, name, ": no feature columns");
  CheckData(train, train, "training data");
  const bool classes = train.task == Task::kClassification;
  std::vector<size_t> order = CanonicalOrder(train);
  const ClassWeights class_weights(config.class_weight, train);
  class_weights.DropWeightless(train, order);
  Check(order.size() >= 2, name, ": training needs at least 2 rows; got ", order.size());
  if (!classes) CheckTargetsVary(train, order);
  WarnOfLeakage(train, order, name, rt);
  WarnOfCodes(train, order, name, rt);

  Prepared p;
  p.problem.task = train.task;
  p.model = StartModel(train, order);
  ChooseMeasure(config, ensemble, p.problem);
  if (data.test.rows() == 0) p.test_rows = HoldOut(train, config.test_split, config, 1, order);
  const int folds = FoldCount(data, config, ensemble, order.size());
  if (data.val.rows() == 0 && folds == 0)
    p.val_rows = HoldOut(train, config.val_split, config, 0, order);
  Check(order.size() >= 2, name, ": val_split ", config.val_split, " and test_split ",
        config.test_split, " leave fewer than 2 rows to train on");
  p.model.features = FitScaling(config.scale, train.features(), order, [&](size_t n, size_t j) {
    return static_cast<double>(train.x.Row(n)[j]);
  });
  if (!classes) {
    WarnOfOddTarget(train, order, name, rt);
    p.model.targets = FitTargets(train, order, algorithm.unit_targets);
  }
  p.problem.target_scale = p.model.targets.scale;
  p.problem.outputs = classes ? p.model.classes.size() : train.targets.cols();
  const bool one_hot = classes && !p.problem.softmax();
  // Of a file of its own or, if there is none, of the training data.
  const auto encode = [&](const Dataset& own, const char* role, const std::vector<size_t>& held,
                          bool weighted) {
    const bool given = own.rows() > 0;
    if (given) CheckData(own, train, role);
    const Dataset& from = given ? own : train;
    const auto rows = !given ? held : weighted ? CanonicalOrder(own) : AllRows(own.rows());
    Rows part = EncodeRows(from, rows, p.model, one_hot);
    if (weighted) part.weights = class_weights.Rows(from, rows);
    if (classes) WarnOfUnknownLabels(part, NameOf(own, role), p.model.classes, rt);
    return part;
  };
  p.problem.train = EncodeRows(train, order, p.model, one_hot);
  p.problem.train.weights = class_weights.Rows(train, order);
  p.problem.val = encode(data.val, "validation data", p.val_rows, true);
  if (folds > 0) {
    p.problem.train = Append(p.problem.train, Labelled(p.problem.val));
    p.problem.val = {};
    const auto fold_of =
        DealToFolds(AllRows(p.problem.train.size()), p.problem.train.labels, folds, config, 2);
    p.folds = {{fold_of.begin(), fold_of.end()}, folds, config.folds > 1};
  }
  p.test = encode(data.test, "test data", p.test_rows, false);
  if (!classes && IsBounded(config.bounded, p.model.schema)) {
    p.model.bounds = RangeOfTargets(train, order);
    Include(train, p.val_rows, p.model.bounds);
    Include(data.val, AllRows(data.val.rows()), p.model.bounds);
    p.problem.bounds = Standardised(p.model.bounds, p.model.targets);
    WarnOfFarTargets(p, rt);
  }
  p.train_rows = std::move(order);
  return p;
}

}  // namespace gopnet

#include "algorithms/held_out.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/real_math.h"
#include "nn/ensemble.h"
#include "nn/greedy_weights.h"
#include "nn/temperature.h"

namespace gopnet {
namespace {

constexpr size_t kEnoughToWeigh = 300;  // rows; fewer would weigh by chance
constexpr size_t kEnoughToDrop = 100, kEnoughToDropValues = 50;  // rows that validated a network
constexpr double kFarFromBest = 1.5, kFarFromMedian = 2;         // times its error
constexpr double kMostlyOne = 0.85;  // mean of 1/m: hardly a row is held out by several networks
constexpr double kMostGain = 1.2;    // of the temperature; few errors feign more

std::vector<size_t> RowsOf(const Folds& folds, int fold, bool inside) {
  std::vector<size_t> rows;
  for (size_t n = 0; n < folds.of_row.size(); ++n)
    if ((folds.of_row[n] == fold) == inside) rows.push_back(n);
  return rows;
}

}  // namespace

Problem OnRows(const Problem& problem, Rows train, Rows val) {
  Problem part;
  part.task = problem.task;
  part.outputs = problem.outputs;
  part.objective = problem.objective;
  part.metric = problem.metric;
  part.target_scale = problem.target_scale;
  part.bounds = problem.bounds;
  part.train = std::move(train);
  part.val = std::move(val);
  return part;
}

Problem FoldProblem(const Problem& problem, const Folds& folds, int fold) {
  return OnRows(problem, PickRows(problem.train, RowsOf(folds, fold, false)),
                PickRows(problem.train, RowsOf(folds, fold, true)));
}

HeldOutOutputs::HeldOutOutputs(const Problem& problem, const Folds& folds, std::vector<int> fold_of)
    : problem_(problem),
      folds_(folds),
      fold_of_(std::move(fold_of)),
      outputs_(Group(fold_of_.size() - 1) + 1) {}

void HeldOutOutputs::Measure(size_t i, const Network& net) {
  Mat& outputs = outputs_[Group(i)];
  if (outputs.rows() == 0) outputs = Mat(rows().size(), problem_.outputs);
  std::vector<size_t> own;
  for (size_t n = 0; n < rows().size(); ++n)
    if (HeldOut(i, n)) own.push_back(n);
  const Mat x = own.size() < rows().size() ? PickRows(rows(), own).x : Mat();
  const ConstView seen = own.size() < rows().size() ? x.view() : rows().x.view();
  Inference().Run(net, seen, [&](size_t first, MutView out) {
    problem_.bounds.Cut(out);
    for (size_t n = 0; n < out.rows; ++n)
      AddToAverage(out.Rows(n, 1), 1, problem_.softmax(), outputs.view().Rows(own[first + n], 1));
  });
}

std::vector<double> HeldOutOutputs::GreedyWeightsOf(const std::vector<size_t>& networks) const {
  std::vector<size_t> place(outputs_.size());  // of a group among those that are left
  std::vector<Mat> left;
  for (const size_t i : networks) {
    const bool first = i == networks.front() || Group(i) != Group(i - 1);
    if (first) left.push_back(outputs_[Group(i)]);
    place[Group(i)] = left.size() - 1;
  }
  const auto folds = static_cast<double>(folds_.every ? folds_.count : 1);
  const std::vector<double> greedy = GreedyWeights(left, rows(), *problem_.objective);
  std::vector<double> weights;
  for (const size_t i : networks) weights.push_back(greedy[place[Group(i)]] / folds);
  return weights;
}

// The least error of the fold whose least error is the second: that of the best may be easy.
double HeldOutOutputs::SecondBestFold(const std::vector<size_t>& networks,
                                      const std::vector<double>& errors) const {
  std::map<int, double> of_fold;
  for (size_t m = 0; m < networks.size(); ++m) {
    double& least = of_fold.try_emplace(fold_of_[networks[m]], errors[m]).first->second;
    least = std::min(least, errors[m]);
  }
  std::vector<double> sorted;
  for (const auto& [fold, error] : of_fold) sorted.push_back(error);
  std::sort(sorted.begin(), sorted.end());
  return sorted[std::min<size_t>(1, sorted.size() - 1)];
}

std::vector<double> HeldOutOutputs::Weights(const std::vector<size_t>& networks,
                                            const std::vector<double>& errors) const {
  std::map<size_t, int> of_group;
  for (const size_t i : networks) ++of_group[Group(i)];
  const bool comparable =
      (folds_.every || folds_.count == 0) && std::ranges::all_of(of_group, [&](const auto& group) {
        return group.second == (folds_.every ? folds_.count : 1);
      });
  if (comparable && rows().size() >= kEnoughToWeigh) return GreedyWeightsOf(networks);
  const auto parts = static_cast<size_t>(std::max(folds_.count, 1));
  const bool values = problem_.task == Task::kRegression && folds_.count > 0;
  const bool few = rows().size() / parts < (values ? kEnoughToDropValues : kEnoughToDrop);
  std::vector<double> sorted = errors;
  std::sort(sorted.begin(), sorted.end());
  // Of different rows not by the best. Most networks of a regression may be poor, and would spoil
  // the average; of classes the median is enough.
  const double most = values             ? kFarFromBest * SecondBestFold(networks, errors)
                      : folds_.count > 0 ? kFarFromMedian * sorted[sorted.size() / 2]
                                         : kFarFromBest * sorted[0];
  std::vector<double> weights;
  double count = 0;
  for (const double error : errors) {
    weights.push_back(few || error <= most ? 1 : 0);
    count += weights.back();
  }
  for (double& w : weights) w /= count;
  return weights;
}

std::vector<size_t> HeldOutOutputs::Average(const std::vector<size_t>& networks,
                                            const std::vector<double>& weights,
                                            Mat& outputs) const {
  Mat sum(rows().size(), problem_.outputs);
  std::vector<double> weight(rows().size());
  for (size_t m = 0; m < networks.size(); ++m) {
    for (size_t n = 0; n < rows().size(); ++n) {
      if (!HeldOut(networks[m], n)) continue;
      weight[n] += weights[m];
      for (size_t j = 0; j < sum.cols(); ++j)
        sum.Row(n)[j] += static_cast<float>(weights[m]) * outputs_[Group(networks[m])].Row(n)[j];
    }
  }
  std::vector<size_t> held;
  for (size_t n = 0; n < rows().size(); ++n)
    if (weight[n] > 0) held.push_back(n);
  outputs = Mat(held.size(), sum.cols());
  for (size_t i = 0; i < held.size(); ++i) {
    for (size_t j = 0; j < sum.cols(); ++j) {
      const auto total = static_cast<double>(sum.Row(held[i])[j]);
      outputs.Row(i)[j] = static_cast<float>(total / weight[held[i]]);
    }
  }
  FinishAverage(problem_.softmax(), outputs.view());
  return held;
}

// That of each network by itself, over the rows that it holds out; a row counts as in their
// average.
double HeldOutOutputs::TemperatureAlone(const std::vector<size_t>& networks,
                                        const std::vector<double>& weights) const {
  constexpr size_t kEnough = 20'000;  // outputs to fit one number to
  std::vector<double> total(rows().size());
  size_t pairs = 0;
  for (size_t m = 0; m < networks.size(); ++m) {
    for (size_t n = 0; n < rows().size(); ++n) {
      if (!HeldOut(networks[m], n)) continue;
      total[n] += weights[m];
      ++pairs;
    }
  }
  Rows each;  // labels and weights are enough
  std::vector<const float*> probabilities;
  size_t pair = 0;
  for (size_t m = 0; m < networks.size(); ++m) {
    for (size_t n = 0; n < rows().size(); ++n) {
      if (!HeldOut(networks[m], n) || pair++ % (pairs / kEnough + 1) != 0) continue;
      each.labels.push_back(rows().labels[n]);
      each.weights.push_back(static_cast<float>(rows().Weight(n) * weights[m] / total[n]));
      probabilities.push_back(outputs_[Group(networks[m])].Row(n));
    }
  }
  Mat outputs(probabilities.size(), problem_.outputs);
  for (size_t k = 0; k < probabilities.size(); ++k)
    std::copy_n(probabilities[k], outputs.cols(), outputs.Row(k));
  FinishAverage(true, outputs.view());
  return FitTemperature(outputs, each);
}

double HeldOutOutputs::TemperatureGain(const std::vector<size_t>& networks,
                                       const std::vector<double>& weights,
                                       double of_average) const {
  // The variance of an average of m falls with 1/m. The gain from one network to the few that hold
  // a row out is carried on to all as if its logarithm did, too, which errs on the side of less
  // (docs/design/averages.md). For weighted networks, 1/m is the sum of their squared weights.
  const auto inverse_count = [&](const auto& counts) {
    double sum = 0, squares = 0;
    for (size_t m = 0; m < networks.size(); ++m) {
      if (!counts(networks[m])) continue;
      sum += weights[m];
      squares += weights[m] * weights[m];
    }
    return sum > 0 ? squares / (sum * sum) : 0;
  };
  double sum = 0, held = 0;
  for (size_t n = 0; n < rows().size(); ++n) {
    const double inverse = inverse_count([&](size_t i) { return HeldOut(i, n); });
    sum += inverse;
    held += inverse > 0 ? 1 : 0;
  }
  const double few = sum / std::max(held, 1.0), all = inverse_count([](size_t) { return true; });
  if (few > kMostlyOne || few <= all) return 1;
  const double gain = std::max(1.0, of_average / TemperatureAlone(networks, weights));
  return std::min(kMostGain, real::Pow(gain, (few - all) / (1 - few)));
}

}  // namespace gopnet

#include "nn/yardstick.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "base/stop_check.h"
#include "base/threads.h"
#include "linalg/gemm.h"
#include "linalg/minimise.h"
#include "nn/ensemble.h"
#include "nn/metric.h"

namespace gopnet {
namespace {

constexpr size_t kMostRows = 20'000;
constexpr size_t kMostProducts = 4'000'000'000;  // rows x features x outputs
constexpr size_t kMostWork = 50'000'000'000;     // of all steps, 30 to 100 of them
constexpr size_t kManyProducts = 20'000'000;     // from here on threads share them

// The sum of the losses of a linear model, with the penalty. Its parameters: w by rows, then b.
class LinearLoss {
 public:
  LinearLoss(const Rows& rows, const Objective& objective, size_t outputs, double penalty,
             int threads)
      : rows_(rows),
        objective_(objective),
        // The loss of values is a mean over the outputs.
        penalty_(objective.softmax() ? penalty : penalty / static_cast<double>(outputs)),
        model_{Mat(rows.x.cols(), outputs), Mat(1, outputs)},
        gradient_(rows.x.cols(), outputs),
        out_(rows.size(), outputs),
        threads_(rows.size() * rows.x.cols() * outputs < kManyProducts ? 1 : threads) {}
  size_t size() const { return (model_.w.rows() + 1) * model_.w.cols(); }

  double At(const std::vector<double>& p, std::vector<double>& gradient) {
    StopCheck::Ask();
    const size_t inputs = model_.w.rows(), outputs = model_.w.cols();
    Read(p);
    MultiplyAll();
    const double factor = objective_.softmax() ? 1 : 0.5;
    double loss = factor * objective_.Gradient(out_.view(), rows_.AsGoal(), 1);
    MultiplyBack();
    for (size_t i = 0, at = 0; i < inputs; ++i) {
      for (size_t j = 0; j < outputs; ++j, ++at) {
        gradient[at] = factor * static_cast<double>(gradient_.Row(i)[j]) + penalty_ * p[at];
        loss += penalty_ * p[at] * p[at] / 2;
      }
    }
    std::fill(gradient.begin() + static_cast<long>(inputs * outputs), gradient.end(), 0.0);
    for (size_t n = 0; n < rows_.size(); ++n)
      for (size_t j = 0; j < outputs; ++j)
        gradient[inputs * outputs + j] += factor * static_cast<double>(out_.Row(n)[j]);
    return loss;
  }

  const OutputLayer& Read(const std::vector<double>& p) {
    const size_t outputs = model_.w.cols();
    for (size_t row = 0, at = 0; row <= model_.w.rows(); ++row) {
      float* to = row < model_.w.rows() ? model_.w.Row(row) : model_.b.data();
      for (size_t j = 0; j < outputs; ++j, ++at) to[j] = static_cast<float>(p[at]);
    }
    return model_;
  }

 private:
  // An element is summed in one order, whoever computes it.
  void MultiplyAll() {
    constexpr size_t kRows = 256;
    const View<const float> x = rows_.x.view();
    ParallelFor((x.rows + kRows - 1) / kRows, threads_, [&](size_t part, int) {
      const size_t first = part * kRows, count = std::min(kRows, x.rows - first);
      MatMul(x.Rows(first, count), model_.w.view(), model_.b.data(),
             out_.view().Rows(first, count));
    });
  }
  void MultiplyBack() {
    constexpr size_t kColumns = 48;
    const View<const float> x = rows_.x.view();
    ParallelFor((x.cols + kColumns - 1) / kColumns, threads_, [&](size_t part, int) {
      const size_t first = part * kColumns, count = std::min(kColumns, x.cols - first);
      TransposedMatMul(x.Part(0, first, x.rows, count), out_.view(),
                       gradient_.view().Rows(first, count));
    });
  }

  const Rows& rows_;
  const Objective& objective_;
  const double penalty_;
  OutputLayer model_;
  Mat gradient_, out_;
  const int threads_;
};

// The values, one of each target, with the least loss. It is convex: its slope changes its sign
// there.
Mat BestConstant(const Rows& rows, const Objective& objective) {
  const size_t outputs = rows.targets.cols();
  Mat low(1, outputs), high(1, outputs), middle(1, outputs), slopes(rows.size(), outputs);
  for (size_t n = 0; n < rows.size(); ++n) {
    for (size_t j = 0; j < outputs; ++j) {
      low(0, j) = std::min(low(0, j), rows.targets(n, j));
      high(0, j) = std::max(high(0, j), rows.targets(n, j));
    }
  }
  for (int step = 0; step < 50; ++step) {
    for (size_t j = 0; j < outputs; ++j) middle(0, j) = (low(0, j) + high(0, j)) / 2;
    for (size_t n = 0; n < rows.size(); ++n) std::copy_n(middle.data(), outputs, slopes.Row(n));
    objective.Gradient(slopes.view(), rows.AsGoal(), 1);
    for (size_t j = 0; j < outputs; ++j) {
      double slope = 0;
      for (size_t n = 0; n < rows.size(); ++n) slope += static_cast<double>(slopes(n, j));
      (slope < 0 ? low : high)(0, j) = middle(0, j);
    }
  }
  return high;
}

// b: the mean, or the logarithm of the share of each class.
Network FitConstant(const Problem& problem) {
  const Rows& rows = problem.train;
  const bool classes = problem.task == Task::kClassification;
  OutputLayer model{Mat(rows.x.cols(), problem.outputs), Mat(1, problem.outputs)};
  if (!classes && !problem.objective->squared()) {
    model.b = BestConstant(rows, *problem.objective);
    return {{}, std::move(model)};
  }
  std::vector<double> sum(problem.outputs, classes ? 1e-9 : 0.0);
  double total = 0;
  for (size_t n = 0; n < rows.size(); ++n) {
    const double weight =
        classes ? 1 : rows.Weight(n);  // the most frequent class, not the weightiest
    total += weight;
    if (classes) sum[static_cast<size_t>(rows.labels[n])] += weight;
    for (size_t j = 0; !classes && j < sum.size(); ++j)
      sum[j] += weight * static_cast<double>(rows.targets.Row(n)[j]);
  }
  for (size_t j = 0; j < sum.size(); ++j) {
    const double share = sum[j] / total;
    model.b.data()[j] = static_cast<float>(classes ? real::Log(share) : share);
  }
  return {{}, std::move(model)};
}

using Fit = std::function<Network(const Problem&)>;

// Both models by what outputs(fit) gives for the rows; of classes by probabilities, whatever the
// network was trained on.
std::map<std::string, Metrics> MeasureBoth(const Problem& problem, const Rows& rows, int threads,
                                           const std::function<Mat(const Fit&)>& outputs) {
  Problem measured;
  measured.task = problem.task;
  measured.outputs = problem.outputs;
  if (problem.task == Task::kRegression) measured.objective = problem.objective;
  if (problem.metric->Fits(measured)) measured.metric = problem.metric;
  measured.target_scale = problem.target_scale;
  const auto measure = [&](Mat said) {
    MetricSums sums(measured, rows);
    sums.Add(0, said.view());
    return sums.All();
  };
  // The most frequent class of all training rows: a fold that has many of a class leaves few of it
  // to the others, so that theirs would be the wrong one.
  std::map<std::string, Metrics> found = {
      {"constant", measure(Outputs(FitConstant(problem), rows.x.view()))}};
  if (FitsLinear(problem))
    found["linear"] = measure(
        outputs([&](const Problem& p) { return FitLinear(p, *measured.objective, 1, threads); }));
  return found;
}

}  // namespace

bool FitsLinear(const Problem& problem) {
  return (problem.train.x.cols() + 1) * problem.outputs <= kMostLinearWeights;
}

Network FitLinear(const Problem& problem, const Objective& objective, double penalty, int threads) {
  const Rows& all = problem.train;
  const size_t per_row = std::max<size_t>(all.x.cols() * problem.outputs, 1);
  const size_t most = std::clamp<size_t>(kMostProducts / per_row, 1, kMostRows);
  const Rows part = all.size() > most ? PickEvenly(all, most) : Rows();
  LinearLoss loss(all.size() > most ? part : all, objective, problem.outputs, penalty, threads);
  const auto value = [&](const std::vector<double>& p, std::vector<double>& gradient) {
    return loss.At(p, gradient);
  };
  const size_t products = std::max<size_t>(std::min(most, all.size()), 1) * per_row;
  const auto steps = static_cast<int>(std::clamp<size_t>(kMostWork / products, 30, 100));
  return {{}, loss.Read(Minimise(value, std::vector<double>(loss.size()), steps, 1e-5))};
}

Mat FoldOutputs(const Problem& problem, const std::vector<uint8_t>& fold_of_row,
                const std::vector<size_t>& rows,
                const std::function<Network(const Problem&)>& fit) {
  Mat outputs(rows.size(), problem.outputs);
  std::map<int, std::vector<size_t>> of_fold;  // places in `rows`
  for (size_t i = 0; i < rows.size(); ++i) of_fold[fold_of_row[rows[i]]].push_back(i);
  for (const auto& [fold, places] : of_fold) {
    std::vector<size_t> others, held_out;
    for (size_t n = 0; n < fold_of_row.size(); ++n)
      if (fold_of_row[n] != fold) others.push_back(n);
    for (const size_t i : places) held_out.push_back(rows[i]);
    Problem part;
    part.task = problem.task;
    part.outputs = problem.outputs;
    part.train = PickRows(problem.train, others);
    const Mat said = Outputs(fit(part), PickRows(problem.train, held_out).x.view());
    for (size_t i = 0; i < places.size(); ++i)
      std::copy_n(said.Row(i), said.cols(), outputs.Row(places[i]));
  }
  return outputs;
}

std::map<std::string, Metrics> Yardsticks(const Problem& problem, const Rows& rows, int threads) {
  return MeasureBoth(problem, rows, threads,
                     [&](const Fit& fit) { return Outputs(fit(problem), rows.x.view()); });
}

std::map<std::string, Metrics> FoldYardsticks(const Problem& problem,
                                              const std::vector<uint8_t>& fold_of_row,
                                              const std::set<int>& folds, int threads) {
  std::vector<size_t> judged;
  for (size_t n = 0; n < fold_of_row.size(); ++n)
    if (folds.contains(fold_of_row[n])) judged.push_back(n);
  return MeasureBoth(problem, PickRows(problem.train, judged), threads, [&](const Fit& fit) {
    return FoldOutputs(problem, fold_of_row, judged, fit);
  });
}

}  // namespace gopnet

#include "nn/yardstick.h"

#include <algorithm>
#include <cmath>

#include "base/stop_check.h"
#include "kernels/loss.h"
#include "linalg/gemm.h"
#include "linalg/minimise.h"
#include "nn/ensemble.h"
#include "nn/metric.h"

namespace gopnet {
namespace {

constexpr size_t kMostRows = 20'000;
constexpr size_t kMostProducts = 200'000'000;  // rows x features x outputs
constexpr size_t kMostWeights = 2'000'000;     // a larger linear model is no yardstick

// The sum of the losses of a linear model, with the penalty. Its parameters: w by rows, then b.
class LinearLoss {
 public:
  LinearLoss(const Rows& rows, bool classes, size_t outputs, double penalty)
      : rows_(rows),
        classes_(classes),
        // SquaredError is a mean over the outputs
        penalty_(classes ? penalty : penalty / static_cast<double>(outputs)),
        model_{Mat(rows.x.cols(), outputs), Mat(1, outputs)},
        gradient_(rows.x.cols(), outputs),
        out_(rows.size(), outputs) {}
  size_t size() const { return (model_.w.rows() + 1) * model_.w.cols(); }

  double At(const std::vector<double>& p, std::vector<double>& gradient) {
    StopCheck::Ask();
    const size_t inputs = model_.w.rows(), outputs = model_.w.cols();
    Read(p);
    MatMul(rows_.x.view(), model_.w.view(), model_.b.data(), out_.view());
    double loss = classes_
                      ? SoftmaxCrossEntropy(out_.view(), rows_.labels.data(), rows_.Weights(), 1)
                      : SquaredError(out_.view(), rows_.targets.view(), rows_.Weights(), 1) / 2;
    const double factor = classes_ ? 1 : 0.5;
    TransposedMatMul(rows_.x.view(), out_.view(), gradient_.view());
    for (size_t i = 0; i < inputs * outputs; ++i) {
      const double slope = static_cast<double>(gradient_.Row(i / outputs)[i % outputs]);
      gradient[i] = factor * slope + penalty_ * p[i];
      loss += penalty_ * p[i] * p[i] / 2;
    }
    std::fill(gradient.begin() + static_cast<long>(inputs * outputs), gradient.end(), 0.0);
    for (size_t n = 0; n < rows_.size(); ++n)
      for (size_t j = 0; j < outputs; ++j)
        gradient[inputs * outputs + j] += factor * static_cast<double>(out_.Row(n)[j]);
    return loss;
  }

  const OutputLayer& Read(const std::vector<double>& p) {
    const size_t outputs = model_.w.cols();
    for (size_t i = 0; i < p.size(); ++i) {
      const size_t row = i / outputs;
      float* to = row < model_.w.rows() ? model_.w.Row(row) : model_.b.data();
      to[i % outputs] = static_cast<float>(p[i]);
    }
    return model_;
  }

 private:
  const Rows& rows_;
  const bool classes_;
  const double penalty_;
  OutputLayer model_;
  Mat gradient_, out_;
};

// b: the mean, or the logarithm of the share of each class.
Network FitConstant(const Problem& problem) {
  const Rows& rows = problem.train;
  const bool classes = problem.task == Task::kClassification;
  OutputLayer model{Mat(rows.x.cols(), problem.outputs), Mat(1, problem.outputs)};
  std::vector<double> sum(problem.outputs, classes ? 1e-9 : 0.0);
  double total = 0;
  for (size_t n = 0; n < rows.size(); ++n) {
    const double weight = rows.Weight(n);
    total += weight;
    if (classes) sum[static_cast<size_t>(rows.labels[n])] += weight;
    for (size_t j = 0; !classes && j < sum.size(); ++j)
      sum[j] += weight * static_cast<double>(rows.targets.Row(n)[j]);
  }
  for (size_t j = 0; j < sum.size(); ++j) {
    const double share = sum[j] / total;
    model.b.data()[j] = static_cast<float>(classes ? std::log(share) : share);
  }
  return {{}, std::move(model)};
}

using Fit = std::function<Network(const Problem&)>;

// Both models by what outputs(fit) gives for the rows; by probabilities, whatever the network was
// trained on.
std::map<std::string, Metrics> MeasureBoth(const Problem& problem, const Rows& rows,
                                           const std::function<Mat(const Fit&)>& outputs) {
  Problem measured;
  measured.task = problem.task;
  measured.outputs = problem.outputs;
  measured.cross_entropy = problem.task == Task::kClassification;
  measured.target_scale = problem.target_scale;
  const auto measure = [&](const Fit& fit) {
    MetricSums sums(measured, rows);
    Mat said = outputs(fit);
    sums.Add(0, said.view());
    return sums.All();
  };
  std::map<std::string, Metrics> found = {{"constant", measure(FitConstant)}};
  if (FitsLinear(problem)) found["linear"] = measure([](const Problem& p) { return FitLinear(p); });
  return found;
}

}  // namespace

bool FitsLinear(const Problem& problem) {
  return (problem.train.x.cols() + 1) * problem.outputs <= kMostWeights;
}

Network FitLinear(const Problem& problem, double penalty) {
  const Rows& all = problem.train;
  const size_t per_row = std::max<size_t>(all.x.cols() * problem.outputs, 1);
  const size_t most = std::clamp<size_t>(kMostProducts / per_row, 1, kMostRows);
  const Rows part = all.size() > most ? PickEvenly(all, most) : Rows();
  LinearLoss loss(all.size() > most ? part : all, problem.task == Task::kClassification,
                  problem.outputs, penalty);
  const auto value = [&](const std::vector<double>& p, std::vector<double>& gradient) {
    return loss.At(p, gradient);
  };
  return {{}, loss.Read(Minimise(value, std::vector<double>(loss.size()), 100, 1e-5))};
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

std::map<std::string, Metrics> Yardsticks(const Problem& problem, const Rows& rows) {
  return MeasureBoth(problem, rows,
                     [&](const Fit& fit) { return Outputs(fit(problem), rows.x.view()); });
}

std::map<std::string, Metrics> FoldYardsticks(const Problem& problem,
                                              const std::vector<uint8_t>& fold_of_row,
                                              const std::set<int>& folds) {
  std::vector<size_t> judged;
  for (size_t n = 0; n < fold_of_row.size(); ++n)
    if (folds.contains(fold_of_row[n])) judged.push_back(n);
  return MeasureBoth(problem, PickRows(problem.train, judged), [&](const Fit& fit) {
    return FoldOutputs(problem, fold_of_row, judged, fit);
  });
}

}  // namespace gopnet

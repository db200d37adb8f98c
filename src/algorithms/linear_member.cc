#include "algorithms/linear_member.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/elementwise.h"
#include "kernels/loss.h"
#include "nn/temperature.h"
#include "nn/yardstick.h"

namespace gopnet {
namespace {

// The penalty is chosen among these where that is quick.
constexpr double kPenalties[] = {1, 10, 100, 1000};
constexpr size_t kQuick = 2'000'000;                       // rows x features x outputs
constexpr double kPenalty = 10;                            // else; embeddings and pixels need it
constexpr double kBeyondChance = 1;                        // standard errors
constexpr double kLeastWeight = 0.05, kMostWeight = 0.95;  // the networks stay in the model

// How much a linear model should count beside the networks: what makes the squared error
// |t - (1 - s) a - s l|^2 smallest, for probabilities the Brier score; of an objective that is not
// squared, its loss.
class Share {
 public:
  Share(const Rows& rows, Mat average, Mat linear, const Objective& objective)
      : rows_(rows),
        objective_(objective),
        average_(std::move(average)),
        linear_(std::move(linear)) {
    if (!objective.softmax()) return;
    Softmax(average_.view());
    Softmax(linear_.view());
    labels_ = true;
  }

  double Best() const {
    if (!objective_.squared()) return LeastLoss();
    double along = 0, length = 0;
    ForEach([&](size_t, double weight, double error, double step) {
      along += weight * error * step;
      length += weight * step * step;
    });
    return length > 0 ? std::clamp(along / length, 0.0, kMostWeight) : 0;
  }

  // Whether the error falls by more than so many standard errors of the rows' differences.
  bool Helps(double share) const {
    const std::vector<double> gain = objective_.squared() ? Squares(share) : Losses(share);
    double sum = 0, squares = 0;
    for (const double g : gain) sum += g, squares += g * g;
    const auto count = static_cast<double>(gain.size());
    return sum > 0 && sum > kBeyondChance * std::sqrt(std::max(0.0, squares - sum * sum / count));
  }

 private:
  // The gain of each row.
  std::vector<double> Squares(double share) const {
    std::vector<double> gain(rows_.size());
    ForEach([&](size_t n, double weight, double error, double step) {
      const double left = error - share * step;
      gain[n] += weight * (error * error - left * left);
    });
    return gain;
  }
  std::vector<double> Losses(double share) const {
    std::vector<double> gain;
    const Mat mixed = Mixed(share);
    const Goal goal = rows_.AsGoal();
    for (size_t n = 0; n < rows_.size(); ++n) {
      const Goal row{nullptr, goal.targets.Rows(n, 1), goal.weights ? goal.weights + n : nullptr};
      gain.push_back(objective_.LossOf(average_.view().Rows(n, 1), row) -
                     objective_.LossOf(mixed.view().Rows(n, 1), row));
    }
    return gain;
  }

  // The loss is convex in the share, so it is least where its slope changes its sign.
  double LeastLoss() const {
    double low = 0, high = kMostWeight;
    for (int step = 0; step < 30; ++step) {
      const double middle = (low + high) / 2;
      (SlopeAt(middle) < 0 ? low : high) = middle;
    }
    return (low + high) / 2;
  }
  double SlopeAt(double share) const {
    Mat gradient = Mixed(share);
    objective_.Gradient(gradient.view(), rows_.AsGoal(), 1);
    double slope = 0;
    for (size_t n = 0; n < rows_.size(); ++n)
      for (size_t j = 0; j < gradient.cols(); ++j)
        slope += static_cast<double>(gradient(n, j)) *
                 static_cast<double>(linear_(n, j) - average_(n, j));
    return slope;
  }
  Mat Mixed(double share) const {
    Mat mixed(average_.rows(), average_.cols());
    for (size_t n = 0; n < mixed.rows(); ++n)
      for (size_t j = 0; j < mixed.cols(); ++j)
        mixed(n, j) = average_(n, j) + static_cast<float>(share) * (linear_(n, j) - average_(n, j));
    return mixed;
  }

  // use(row, weight, t - a, l - a) for every row and output.
  template <class Use>
  void ForEach(const Use& use) const {
    for (size_t n = 0; n < rows_.size(); ++n) {
      if (labels_ && rows_.labels[n] < 0) continue;
      for (size_t j = 0; j < average_.cols(); ++j) {
        const auto a = static_cast<double>(average_.Row(n)[j]);
        use(n, rows_.Weight(n), rows_.Truth(n, j, labels_) - a,
            static_cast<double>(linear_.Row(n)[j]) - a);
      }
    }
  }

  const Rows& rows_;
  const Objective& objective_;
  Mat average_, linear_;
  bool labels_ = false;
};

Mat Scaled(double factor, Mat m) {
  for (size_t n = 0; n < m.rows(); ++n) Scale(static_cast<float>(factor), m.cols(), m.Row(n));
  return m;
}

// The squared error of an average, or its loss if the objective is not squared.
double ErrorOf(const Rows& rows, Mat outputs, const Objective& objective) {
  if (!objective.squared()) return objective.Gradient(outputs.view(), rows.AsGoal(), 1);
  const bool probabilities = objective.softmax();
  if (probabilities) Softmax(outputs.view());
  double sum = 0;
  for (size_t n = 0; n < rows.size(); ++n) {
    if (probabilities && rows.labels[n] < 0) continue;
    for (size_t j = 0; j < outputs.cols(); ++j) {
      const double error = rows.Truth(n, j, probabilities) - static_cast<double>(outputs.Row(n)[j]);
      sum += rows.Weight(n) * error * error;
    }
  }
  return sum;
}

}  // namespace

std::optional<LinearMember> FitLinearMember(const Problem& problem, const Folds& folds,
                                            const std::vector<size_t>& held, const Mat& average,
                                            int threads) {
  if (held.empty() || !FitsLinear(problem)) return {};
  const bool classes = problem.softmax();  // those of squared errors are like values
  const Rows rows = PickRows(folds.count > 0 ? problem.train : problem.val, held);
  // Of few rows a class the penalty leaves probabilities that are right but hardly differ, and the
  // networks' own are too flat, too: both are compared as sure as they may be.
  const bool calibrated = classes && held.size() >= kRowsForTemperature;
  const auto temperature = [&](const Mat& outputs) {
    return calibrated ? FitTemperature(outputs, rows) : 1;
  };
  LinearMember member;
  double penalty = kPenalty, own = 1, least = std::numeric_limits<double>::infinity();
  const auto fit = [&](double c) {
    return [&, c](const Problem& p) { return FitLinear(p, *problem.objective, c, threads); };
  };
  const size_t products = problem.train.size() * problem.train.x.cols() * problem.outputs;
  for (const double c : kPenalties) {
    if (products > kQuick && c != kPenalty) continue;
    Mat outputs = folds.count > 0 ? FoldOutputs(problem, folds.of_row, held, fit(c))
                                  : Outputs(fit(c)(problem), problem.val.x.view());
    problem.bounds.Cut(outputs.view());
    const double theta = temperature(outputs);
    const double error = ErrorOf(rows, Scaled(theta, outputs), *problem.objective);
    if (!(error < least)) continue;
    penalty = c, own = theta, least = error;
    member.outputs = std::move(outputs);
  }
  if (member.outputs.rows() == 0) return {};
  const double theirs = temperature(average);
  const Share share(rows, Scaled(theirs, average), Scaled(own, member.outputs), *problem.objective);
  member.weight = share.Best();
  if (member.weight < kLeastWeight || !share.Helps(member.weight)) return {};
  member.network = fit(penalty)(problem);
  // One temperature will serve the average of all.
  for (Mat* m : {&member.outputs, &member.network.output.w, &member.network.output.b})
    *m = Scaled(own / theirs, *m);
  return member;
}

}  // namespace gopnet

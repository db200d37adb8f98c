#include "nn/greedy_weights.h"

namespace gopnet {
namespace {

constexpr int kAdditions = 25;

// G(a, b) = sum over rows and outputs of (y_a - t) (y_b - t), so that an average with weights w has
// the squared error w' G w.
std::vector<std::vector<double>> ErrorProducts(const std::vector<Mat>& outputs, const Rows& rows,
                                               bool probabilities) {
  const size_t members = outputs.size();
  std::vector<std::vector<double>> products(members, std::vector<double>(members));
  std::vector<double> error(members);
  for (size_t n = 0; n < rows.size(); ++n) {
    if (probabilities && rows.labels[n] < 0) continue;
    for (size_t j = 0; j < outputs[0].cols(); ++j) {
      for (size_t a = 0; a < members; ++a)
        error[a] = static_cast<double>(outputs[a].Row(n)[j]) - rows.Truth(n, j, probabilities);
      for (size_t a = 0; a < members; ++a)
        for (size_t b = 0; b <= a; ++b) products[a][b] += rows.Weight(n) * error[a] * error[b];
    }
  }
  for (size_t a = 0; a < members; ++a)
    for (size_t b = 0; b < a; ++b) products[b][a] = products[a][b];
  return products;
}

// How often each is the best to add, as a share of all additions.
template <class Best>
std::vector<double> AddGreedily(size_t members, const Best& best) {
  std::vector<double> count(members);
  for (int step = 0; step < kAdditions; ++step) count[best(step)] += 1;
  for (double& c : count) c /= kAdditions;
  return count;
}

std::vector<double> BySquares(const std::vector<Mat>& outputs, const Rows& rows,
                              bool probabilities) {
  const size_t members = outputs.size();
  const auto products = ErrorProducts(outputs, rows, probabilities);
  std::vector<double> sum(members);  // of the columns of `products` that were added
  return AddGreedily(members, [&](int) {
    size_t best = 0;
    for (size_t a = 1; a < members; ++a)
      if (2 * sum[a] + products[a][a] < 2 * sum[best] + products[best][best]) best = a;
    for (size_t a = 0; a < members; ++a) sum[a] += products[a][best];
    return best;
  });
}

// (sum + added) / count
void MeanWith(const Mat& sum, const Mat& added, int count, Mat& mean) {
  for (size_t n = 0; n < sum.rows(); ++n)
    for (size_t j = 0; j < sum.cols(); ++j)
      mean.Row(n)[j] = (sum.Row(n)[j] + added.Row(n)[j]) / static_cast<float>(count);
}

// Other losses have no products: every average is measured.
std::vector<double> ByLoss(const std::vector<Mat>& outputs, const Rows& rows,
                           const Objective& objective) {
  Mat sum(rows.size(), outputs[0].cols()), mean = sum;
  return AddGreedily(outputs.size(), [&](int step) {
    size_t best = 0;
    double least = 0;
    for (size_t a = 0; a < outputs.size(); ++a) {
      MeanWith(sum, outputs[a], step + 1, mean);
      const double loss = objective.Gradient(mean.view(), rows.AsGoal(), 1);
      if (a > 0 && !(loss < least)) continue;
      best = a, least = loss;
    }
    MeanWith(sum, outputs[best], 1, sum);
    return best;
  });
}

}  // namespace

std::vector<double> GreedyWeights(const std::vector<Mat>& outputs, const Rows& rows,
                                  const Objective& objective) {
  return objective.squared() ? BySquares(outputs, rows, objective.softmax())
                             : ByLoss(outputs, rows, objective);
}

}  // namespace gopnet

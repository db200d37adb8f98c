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

}  // namespace

std::vector<double> GreedyWeights(const std::vector<Mat>& outputs, const Rows& rows,
                                  bool probabilities) {
  const size_t members = outputs.size();
  const auto products = ErrorProducts(outputs, rows, probabilities);
  std::vector<double> sum(members);  // of the columns of `products` that were added
  std::vector<double> count(members);
  for (int step = 0; step < kAdditions; ++step) {
    size_t best = 0;
    for (size_t a = 1; a < members; ++a)
      if (2 * sum[a] + products[a][a] < 2 * sum[best] + products[best][best]) best = a;
    count[best] += 1;
    for (size_t a = 0; a < members; ++a) sum[a] += products[a][best];
  }
  for (double& c : count) c /= kAdditions;
  return count;
}

}  // namespace gopnet

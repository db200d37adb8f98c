#include "nn/temperature.h"

#include <algorithm>
#include <cmath>

namespace gopnet {
namespace {

constexpr size_t kEnough = 20000;  // rows to fit one number to

double CrossEntropy(const Mat& outputs, const std::vector<int32_t>& labels, const float* weights,
                    double theta) {
  double sum = 0;
  const size_t step = (outputs.rows() + kEnough - 1) / kEnough;
  for (size_t n = 0; n < outputs.rows(); n += step) {
    if (labels[n] < 0) continue;
    const float* row = outputs.Row(n);
    const double top = static_cast<double>(*std::max_element(row, row + outputs.cols()));
    double total = 0;
    for (size_t j = 0; j < outputs.cols(); ++j)
      total += std::exp(theta * (static_cast<double>(row[j]) - top));
    const double loss = std::log(total) - theta * (static_cast<double>(row[labels[n]]) - top);
    sum += weights ? static_cast<double>(weights[n]) * loss : loss;
  }
  return sum;
}

}  // namespace

double FitTemperature(const Ensemble& net, const Rows& rows) {
  Mat outputs(rows.size(), net.outputs());
  EnsembleInference().Run(net, rows.x.view(), [&](size_t first, MutView out) {
    for (size_t n = 0; n < out.rows; ++n) std::copy_n(out.Row(n), out.cols, outputs.Row(first + n));
  });
  return FitTemperature(outputs, rows.labels, rows.Weights());
}

double FitTemperature(const Mat& outputs, const std::vector<int32_t>& labels,
                      const float* weights) {
  // Cross-entropy is convex in theta, so it has one valley in log theta: golden-section search.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(0.1), high = std::log(100.0);
  for (int step = 0; step < 60; ++step) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    if (CrossEntropy(outputs, labels, weights, std::exp(a)) <=
        CrossEntropy(outputs, labels, weights, std::exp(b))) {
      high = b;
    } else {
      low = a;
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace gopnet

#include "nn/temperature.h"

#include <algorithm>
#include <cmath>

namespace gopnet {
namespace {

constexpr size_t kEnough = 20000;  // rows to fit one number to

double CrossEntropy(const Mat& outputs, const Rows& rows, double theta) {
  double sum = 0;
  const size_t step = (outputs.rows() + kEnough - 1) / kEnough;
  for (size_t n = 0; n < outputs.rows(); n += step) {
    if (rows.labels[n] < 0) continue;
    const float* row = outputs.Row(n);
    const double top = static_cast<double>(*std::max_element(row, row + outputs.cols()));
    double total = 0;
    for (size_t j = 0; j < outputs.cols(); ++j)
      total += std::exp(theta * (static_cast<double>(row[j]) - top));
    const double loss = std::log(total) - theta * (static_cast<double>(row[rows.labels[n]]) - top);
    sum += rows.Weight(n) * loss;
  }
  return sum;
}

}  // namespace

double FitTemperature(const Mat& outputs, const Rows& rows) {
  // Cross-entropy is convex in theta, so it has one valley in log theta: golden-section search.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(0.1), high = std::log(100.0);
  for (int step = 0; step < 60; ++step) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    if (CrossEntropy(outputs, rows, std::exp(a)) <= CrossEntropy(outputs, rows, std::exp(b))) {
      high = b;
    } else {
      low = a;
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace gopnet

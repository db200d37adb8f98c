#include "nn/temperature.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"

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
      total += real::Exp(theta * (static_cast<double>(row[j]) - top));
    const double loss = real::Log(total) - theta * (static_cast<double>(row[rows.labels[n]]) - top);
    sum += rows.Weight(n) * loss;
  }
  return sum;
}

}  // namespace

double FitTemperature(const Mat& outputs, const Rows& rows) {
  // Cross-entropy is convex in theta, so it has one valley in log theta: golden-section search.
  const auto loss = [&](double log) { return CrossEntropy(outputs, rows, real::Exp(log)); };
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = real::Log(0.1), high = real::Log(100.0);
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = loss(a), at_b = loss(b);
  for (int step = 0; step < 60; ++step) {
    if (at_a <= at_b) {
      high = b, b = a, at_b = at_a;
      at_a = loss(a = high - ratio * (high - low));
    } else {
      low = a, a = b, at_a = at_b;
      at_b = loss(b = low + ratio * (high - low));
    }
  }
  return real::Exp((low + high) / 2);
}

}  // namespace gopnet

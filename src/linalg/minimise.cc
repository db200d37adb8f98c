#include "linalg/minimise.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace gopnet {
namespace {

using Vector = std::vector<double>;

constexpr size_t kPairs = 10;  // that are remembered

struct Pair {
  Vector step, change;  // of the variables and of the gradient
};

double Inner(const Vector& a, const Vector& b) {
  double sum[4] = {};  // one would wait for itself
  size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (size_t k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  }
  for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Minus the gradient times the inverse curvature, as far as the pairs tell it.
Vector Direction(const std::deque<Pair>& pairs, Vector d) {
  Vector a(pairs.size());
  for (size_t k = pairs.size(); k-- > 0;) {
    a[k] = Inner(pairs[k].step, d) / Inner(pairs[k].step, pairs[k].change);
    for (size_t i = 0; i < d.size(); ++i) d[i] -= a[k] * pairs[k].change[i];
  }
  double scale = 1 / std::max(1.0, std::sqrt(Inner(d, d)));
  if (!pairs.empty()) {
    const Pair& last = pairs.back();
    scale = Inner(last.step, last.change) / Inner(last.change, last.change);
  }
  for (double& v : d) v *= scale;
  for (size_t k = 0; k < pairs.size(); ++k) {
    const double b = Inner(pairs[k].change, d) / Inner(pairs[k].step, pairs[k].change);
    for (size_t i = 0; i < d.size(); ++i) d[i] += (a[k] - b) * pairs[k].step[i];
  }
  for (double& v : d) v = -v;
  return d;
}

Vector Minus(Vector a, const Vector& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

}  // namespace

std::vector<double> Minimise(const Smooth& f, std::vector<double> p, int steps, double gain) {
  Vector gradient(p.size()), next_p(p.size()), next_gradient(p.size());
  std::deque<Pair> pairs;
  double value = f(p, gradient);
  for (int step = 0; step < steps; ++step) {
    const Vector direction = Direction(pairs, gradient);
    const double slope = Inner(direction, gradient);
    double next = value, length = 1;
    for (; length > 1e-4; length /= 2) {
      for (size_t i = 0; i < p.size(); ++i) next_p[i] = p[i] + length * direction[i];
      next = f(next_p, next_gradient);
      if (next <= value + 1e-4 * length * slope) break;
    }
    if (!(next < value)) break;
    Pair pair{Minus(next_p, p), Minus(next_gradient, gradient)};
    if (Inner(pair.step, pair.change) > 0) pairs.push_back(std::move(pair));
    if (pairs.size() > kPairs) pairs.pop_front();
    p.swap(next_p);
    gradient.swap(next_gradient);
    const bool enough = value - next <= gain * std::fabs(value);
    value = next;
    if (enough) break;
  }
  return p;
}

}  // namespace gopnet

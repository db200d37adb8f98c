// A GOP block in double that follows the definition: pooled = rho_k psi(y_k, w_k), with gradients
// P_k psi_w and P_k psi_y. It uses the formulas of the operators with V = double.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/activation-inl.h"
#include "ops/nodal-inl.h"
#include "ops/operator_set.h"
#include "ops/pool-inl.h"

// Formulas are inlined only into code for the instruction set they are compiled for.
HWY_BEFORE_NAMESPACE();
namespace gopnet::testing {

using namespace gopnet::HWY_NAMESPACE;  // NOLINT: the static target's reading

using Vector = std::vector<double>;

struct Neuron {
  double pooled = 0;
  Vector dw, dy;  // d pooled / d w_k and d y_k
};

// Calls visit with the operator of this index as a type.
template <class List, int kIndex = 0, class Visit>
void ForOperator(int index, const Visit& visit) {
  if constexpr (kIndex < List::kSize) {
    if (index == kIndex) return visit(typename List::template At<kIndex>());
    ForOperator<List, kIndex + 1>(index, visit);
  }
}

template <class Pool>
Vector PoolGradient(const Vector& z) {
  Vector p(z.size());
  if constexpr (Pool::kTerms == 0) {
    p[static_cast<size_t>(std::max_element(z.begin(), z.end()) - z.begin())] = 1;
  } else {
    const auto at = [&](size_t k, int d) {
      const auto i = static_cast<long>(k) + d;
      return i < 0 || i >= static_cast<long>(z.size()) ? 0.0 : z[static_cast<size_t>(i)];
    };
    for (size_t k = 0; k < z.size(); ++k) {
      Window<double> w;
      w.m2 = at(k, -2), w.m1 = at(k, -1), w.z = z[k], w.p1 = at(k, 1), w.p2 = at(k, 2);
      p[k] = Pool::Grad(w);
    }
  }
  return p;
}

template <class Pool>
double PoolValue(const Vector& z) {
  if constexpr (Pool::kTerms == 0) {
    return *std::max_element(z.begin(), z.end());
  } else {
    double sum = 0;  // products of kTerms neighbours
    for (size_t k = 0; k + Pool::kTerms <= z.size(); ++k) {
      double product = 1;
      for (size_t i = 0; i < Pool::kTerms; ++i) product *= z[k + i];
      sum += product;
    }
    return sum;
  }
}

inline Neuron Evaluate(const OperatorSet& phi, const Vector& y, const Vector& w) {
  Neuron result;
  ForOperator<NodalList>(phi.nodal, [&](auto nodal) {
    using Nodal = decltype(nodal);
    Vector z;
    for (size_t k = 0; k < y.size(); ++k)
      z.push_back(
          Nodal::Value(y[k], w[k], Nodal::template Factors<true>(Nodal::Input(y[k]), w[k])));
    ForOperator<PoolList>(phi.pool, [&](auto pool) {
      using Pool = decltype(pool);
      result.pooled = PoolValue<Pool>(z);
      const Vector p = PoolGradient<Pool>(z);
      for (size_t k = 0; k < y.size(); ++k) {
        const double q = Nodal::Input(y[k]);
        const auto f = Nodal::template Factors<true>(q, w[k]);
        result.dw.push_back(p[k] * Nodal::template GradW<true>(y[k], q, w[k], f));
        result.dy.push_back(p[k] * Nodal::template GradY<true>(y[k], q, w[k], f));
      }
    });
  });
  return result;
}

}  // namespace gopnet::testing
HWY_AFTER_NAMESPACE();

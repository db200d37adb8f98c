// A loss that is a convex function of each output's error, y - t.
#pragma once

#include "nn/objective.h"

namespace gopnet {

// Function: double Value(double error) const, its derivative Slope, and kSquared.
template <class Function>
class ValueObjective final : public Objective {
 public:
  explicit ValueObjective(Function loss) : loss_(loss) {}

  double Gradient(MutView out, const Goal& goal, double total) const override {
    double sum = 0;
    const auto cols = static_cast<double>(out.cols);
    for (size_t n = 0; n < out.rows; ++n) {
      const double weight = goal.weights ? static_cast<double>(goal.weights[n]) : 1.0;
      const float* target = goal.targets.Row(n);
      float* row = out.Row(n);
      double values = 0;
      for (size_t j = 0; j < out.cols; ++j) {
        const double error = static_cast<double>(row[j]) - static_cast<double>(target[j]);
        values += loss_.Value(error);
        row[j] = static_cast<float>(weight * loss_.Slope(error) / (total * cols));
      }
      sum += weight * values / cols;
    }
    return sum;
  }
  bool squared() const override { return Function::kSquared; }

 private:
  const Function loss_;
};

template <class Function>
std::shared_ptr<const Objective> MakeValueObjective(Function loss) {
  return std::make_shared<ValueObjective<Function>>(loss);
}

}  // namespace gopnet

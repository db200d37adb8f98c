#include <cmath>

#include "nn/objectives/value_objective.h"

namespace gopnet {
namespace {

// e^2 up to |e| = delta, then its tangent (Huber, 1964; scaled as in scikit-learn's HuberRegressor,
// so that a large delta is mse).
struct HuberFunction {
  static constexpr bool kSquared = false;
  double delta;
  double Value(double error) const {
    const double size = std::fabs(error);
    return size <= delta ? error * error : delta * (2 * size - delta);
  }
  double Slope(double error) const {
    return std::fabs(error) <= delta ? 2 * error : std::copysign(2 * delta, error);
  }
};

}  // namespace

Loss Huber() {
  return {.name = "huber",
          .of_classes = false,
          .of_values = true,
          .make = [](double delta) { return MakeValueObjective(HuberFunction{delta}); },
          .selects = true,
          .parameter = LossParameter{"huber_delta",
                                     1.35,
                                     {1e-3, 1e3},
                                     "Error from which loss huber grows linearly, "
                                     "in standard deviations of the target."}};
}

}  // namespace gopnet

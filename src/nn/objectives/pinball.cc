#include "nn/objectives/value_objective.h"

namespace gopnet {
namespace {

// q times an error below the target, 1 - q times one above: the least mean is that of the
// q-quantile (Koenker and Bassett, 1978).
struct PinballFunction {
  static constexpr bool kSquared = false;
  double quantile;
  double Value(double error) const {
    return error < 0 ? -quantile * error : (1 - quantile) * error;
  }
  double Slope(double error) const { return error < 0 ? -quantile : error > 0 ? 1 - quantile : 0; }
};

}  // namespace

Loss Pinball() {
  return {.name = "pinball",
          .of_classes = false,
          .of_values = true,
          .make = [](double quantile) { return MakeValueObjective(PinballFunction{quantile}); },
          .selects = true,
          .parameter = LossParameter{"quantile",
                                     0.5,
                                     {0.001, 0.999},
                                     "Quantile of the target that loss pinball predicts: 0.9 is "
                                     "exceeded by a tenth of the rows."}};
}

}  // namespace gopnet

#include "nn/objectives/value_objective.h"

namespace gopnet {
namespace {

struct Squared {
  static constexpr bool kSquared = true;
  double Value(double error) const { return error * error; }
  double Slope(double error) const { return 2 * error; }
};

}  // namespace

Loss Mse() {
  return {.name = "mse", .of_classes = true, .of_values = true, .make = [](double) {
            return MakeValueObjective(Squared{});
          }};
}

}  // namespace gopnet

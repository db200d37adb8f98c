#include "kernels/loss.h"
#include "nn/objective.h"

namespace gopnet {
namespace {

// -log p of the row's class, p = softmax(outputs).
class SoftmaxObjective final : public Objective {
 public:
  Link link() const override { return Link::kSoftmax; }
  double Gradient(MutView outputs, const Goal& goal, double total) const override {
    return SoftmaxCrossEntropy(outputs, goal.labels, goal.weights, total);
  }
  bool squared() const override { return true; }
};

}  // namespace

Loss CrossEntropy() {
  return {.name = "cross_entropy",
          .of_classes = true,
          .of_values = false,
          .make = [](double) -> std::shared_ptr<const Objective> {
            return std::make_shared<SoftmaxObjective>();
          }};
}

}  // namespace gopnet

#include "nn/objective.h"

#include <algorithm>

#include "base/check.h"

namespace gopnet {

#define GOPNET_LOSS(function) Loss function();
#include "nn/losses.def"
#undef GOPNET_LOSS

double Objective::LossOf(ConstView outputs, const Goal& goal) const {
  Mat overwritten(outputs.rows, outputs.cols);
  CopyRows(outputs, overwritten.view());
  return Gradient(overwritten.view(), goal, 1);
}

const std::vector<Loss>& AllLosses() {
  static const std::vector<Loss> all = {
#define GOPNET_LOSS(function) function(),
#include "nn/losses.def"
#undef GOPNET_LOSS
  };
  return all;
}

const Loss& FindLoss(const std::string& name) {
  const auto found = std::ranges::find(AllLosses(), name, &Loss::name);
  Check(found != AllLosses().end(), "unknown loss '", name, "'");
  return *found;
}

const Loss& UsualLoss(Task task) {
  return *std::ranges::find_if(AllLosses(), [&](const Loss& loss) { return loss.For(task); });
}

std::shared_ptr<const Objective> MakeObjective(const std::string& name) {
  const Loss& loss = FindLoss(name);
  return loss.make(loss.parameter ? loss.parameter->value : 0);
}

}  // namespace gopnet

// What a network minimises, and what its outputs mean. A new loss is a file in nn/objectives/ and a
// line in losses.def (docs/design/objectives.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mat.h"
#include "base/visit.h"
#include "gopnet/dataset.h"

namespace gopnet {

// How outputs become predictions. It is data, not a function, since exports write it in C and ONNX.
enum class Link { kIdentity, kSoftmax };

// What the outputs of some rows should be.
struct Goal {
  const int32_t* labels = nullptr;  // class numbers, for a softmax link
  ConstView targets = {};           // for an identity link
  const float* weights = nullptr;   // null: all 1
};

// Immutable: any number of threads may share one.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual Link link() const { return Link::kIdentity; }
  // Return the sum over rows of weight * loss; the loss of several values is their mean. outputs
  // become dloss/doutputs * weight / total.
  virtual double Gradient(MutView outputs, const Goal& goal, double total) const = 0;
  // Whether an average is as good as its squared error is small: of values, or of probabilities
  // (the Brier score). Otherwise it is judged by the loss.
  virtual bool squared() const = 0;

  bool softmax() const { return link() == Link::kSoftmax; }
  double LossOf(ConstView outputs, const Goal& goal) const;  // the sum over rows; keeps outputs
};

// The one number that a loss may need. Its name is a parameter of every algorithm that offers the
// loss.
struct LossParameter {
  const char* name;
  double value;  // the default
  Bounds range;
  const char* doc;
};

// An entry of losses.def.
struct Loss {
  const char* name;
  bool of_classes, of_values;  // the tasks it is for
  std::shared_ptr<const Objective> (*make)(double parameter);
  bool selects = false;  // metric auto: by the loss itself, not by accuracy or r2
  std::optional<LossParameter> parameter = {};

  bool For(Task task) const { return task == Task::kClassification ? of_classes : of_values; }
};

const std::vector<Loss>& AllLosses();
const Loss& FindLoss(const std::string& name);  // one of AllLosses
const Loss& UsualLoss(Task task);               // the first for the task
// With the default parameter.
std::shared_ptr<const Objective> MakeObjective(const std::string& loss);

}  // namespace gopnet

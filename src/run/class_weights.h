// The weight of a training row: its sample weight times the weight of its class.
#pragma once

#include <string>
#include <vector>

#include "gopnet/dataset.h"

namespace gopnet {

class ClassWeights {
 public:
  // spec: "none", "balanced", or label:weight pairs. Throws Error for a label that the data lack.
  ClassWeights(const std::string& spec, const Dataset& train);
  // Sample weight times the given class weight; "balanced" counts as 1 here, since it needs the
  // split.
  double Fixed(const Dataset& train, size_t row) const;
  // Weights of these rows; empty if all are 1.
  std::vector<float> Rows(const Dataset& train, const std::vector<size_t>& rows) const;

  // The same weights by label for other data, which may lack classes or have more (of weight 1).
  ClassWeights For(const Dataset& train, const Dataset& other) const;

 private:
  bool balanced_ = false;
  std::vector<double> of_class_;
};

}  // namespace gopnet

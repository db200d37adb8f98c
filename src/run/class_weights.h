// The weight of a training row: its sample weight times the weight of its class.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gopnet/dataset.h"

namespace gopnet {

class ClassWeights {
 public:
  // spec: "none", "balanced", or label:weight pairs. Throws Error for a label that `train` lacks.
  ClassWeights(const std::string& spec, const Dataset& train);
  // Takes away the rows of weight 0; "balanced" counts as 1 here, since it needs the split.
  void DropWeightless(const Dataset& data, std::vector<size_t>& rows) const;
  // Weights of these rows; empty if all are 1. The data may have other classes, of weight 1.
  std::vector<float> Rows(const Dataset& data, const std::vector<size_t>& rows) const;

 private:
  std::vector<double> OfClasses(const Dataset& data) const;

  bool balanced_ = false;
  std::map<std::string, double> of_label_;  // 1 for those that are not there
};

}  // namespace gopnet

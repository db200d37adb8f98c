// Predictions as CSV or .npy, from the few facts of a model that they need.
#pragma once

#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "gopnet/matrix.h"

namespace gopnet {

struct PredictionFormat {
  Task task = Task::kClassification;
  std::vector<std::string> classes;
  bool integer_classes = false;
  std::vector<std::string> targets;  // names, if they are known
  bool proba = false;
};

// predicted: N x classes probabilities, or N x targets values.
std::string PredictionsAsCsv(const PredictionFormat& format, const Matrix& predicted);
std::string PredictionsAsNpy(const PredictionFormat& format, const Matrix& predicted);

}  // namespace gopnet

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
  // CSV only: a first column of names of the rows, and regression values in double with so many
  // digits for each target (0: as short as the float).
  std::string id_name = {};
  std::vector<std::string> ids = {};
  std::vector<double> values = {};
  std::vector<int> digits = {};
  bool header = true;
  bool spreadsheet = false;  // no text is taken for a formula
};

// predicted: N x classes probabilities, or N x targets values.
std::string PredictionsAsCsv(const PredictionFormat& format, const Matrix& predicted);
std::string PredictionsAsNpy(const PredictionFormat& format, const Matrix& predicted);

}  // namespace gopnet

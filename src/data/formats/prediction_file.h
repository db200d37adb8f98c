// Writes predictions as CSV or .npy.
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
  // CSV only: a first column of row names, and regression values in double with `digits`
  // significant digits per target (0: the shortest float).
  std::string id_name = {};
  std::vector<std::string> ids = {};
  std::vector<double> values = {};
  std::vector<int> digits = {};
  bool header = true;
  bool spreadsheet = false;  // protect text that a spreadsheet would read as a formula
};

// predicted: N x classes probabilities, or N x targets values.
std::string PredictionsAsCsv(const PredictionFormat& format, const Matrix& predicted);
std::string PredictionsAsNpy(const PredictionFormat& format, const Matrix& predicted);

}  // namespace gopnet

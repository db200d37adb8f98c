// Results of a model: predictions as files, metrics on labelled rows, the training history as JSON.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "gopnet/history.h"
#include "gopnet/model.h"

namespace gopnet {

struct ClassReport {
  std::string label;
  long rows = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

struct Evaluation {
  size_t rows = 0;
  Metrics metrics;
  std::vector<TargetMetrics> targets;        // regression of several targets
  std::vector<ClassReport> classes;          // classification only
  std::vector<std::vector<long>> confusion;  // [true][predicted], in the model's class order
  long unknown_labels = 0;  // rows with labels that training did not have; counted as errors
};

Evaluation Evaluate(const Model& model, const Dataset& data);

// Predictions as CSV: labels as they were given in training, plus one column per class with
// `proba`; the values in regression. `extras` can add row ids and the values of
// Model::PredictValues, which are written with all their digits.
struct PredictionExtras {
  std::string id_name = {};
  std::vector<std::string> ids = {};  // one per row, or empty
  std::vector<double> values = {};
  bool header = true;        // write a first line of names
  bool spreadsheet = false;  // put ' before text that a spreadsheet would read as a formula
};
std::string PredictionsCsv(const Model& model, const Matrix& predicted, bool proba,
                           const PredictionExtras& extras = {});

// Writes predictions chunk by chunk to a file: CSV, or NumPy if the name ends in .npy (the labels,
// with `proba` only the probabilities, or the values). The file gets its name in Finish.
class PredictionFile {
 public:
  // Without `replace`, Finish throws Error if a file of that name exists by then.
  PredictionFile(const std::string& path, const Model& model, bool proba, bool replace = true);
  ~PredictionFile();
  PredictionFile(const PredictionFile&) = delete;
  PredictionFile& operator=(const PredictionFile&) = delete;
  void Add(const Matrix& predicted,
           PredictionExtras extras = {});  // the first call writes the header
  void Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string ToJson(const Evaluation& evaluation, int indent = 2);
std::string ToJson(const History& history, const std::string& model_path, int indent = 2);

}  // namespace gopnet

// What a model says and how good it is: predictions as files, metrics on labelled rows, training as
// JSON.
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
  long unknown_labels = 0;  // rows whose label the model never saw; counted as errors
};

Evaluation Evaluate(const Model& model, const Dataset& data);

// Predictions as CSV: labels as they were given in training, with `proba` one more column a class;
// in regression the values. `extras` may name the rows and hold the values of Model::PredictValues,
// of which as many digits are written as they have.
struct PredictionExtras {
  std::string id_name = {};
  std::vector<std::string> ids = {};  // one a row, or none
  std::vector<double> values = {};
  bool header = true;        // a first line of names
  bool spreadsheet = false;  // a ' goes before text that a spreadsheet would take for a formula
};
std::string PredictionsCsv(const Model& model, const Matrix& predicted, bool proba,
                           const PredictionExtras& extras = {});

// The same as a file, for rows that come in chunks; one that ends in .npy holds the labels, with
// `proba` the probabilities only, or the values. It has its name once it is finished.
class PredictionFile {
 public:
  // Without `replace` a file that has that name when it is finished is an Error.
  PredictionFile(const std::string& path, const Model& model, bool proba, bool replace = true);
  ~PredictionFile();
  PredictionFile(const PredictionFile&) = delete;
  PredictionFile& operator=(const PredictionFile&) = delete;
  void Add(const Matrix& predicted, PredictionExtras extras = {});  // one header is written
  void Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string ToJson(const Evaluation& evaluation, int indent = 2);
std::string ToJson(const History& history, const std::string& model_path, int indent = 2);

}  // namespace gopnet

// A model as a value and as a safetensors file (docs/reference/model_file.md). The file holds
// everything that prediction needs, and nothing of the machine or the run that made it: no path,
// time, host or thread count.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "model/scaling.h"
#include "nn/ensemble.h"

namespace gopnet {

struct ModelData {
  std::string algorithm;
  std::map<std::string, std::string> parameters;  // all but threads
  Task task = Task::kClassification;
  std::vector<std::string> classes;
  bool integer_classes = false;
  bool boolean_classes =
      false;  // the labels were truth values, of a caller whose language has them
  Schema schema;
  Scaling features;
  Scaling targets;         // regression: values = outputs * scale + mean
  ValueRange bounds;       // of these values
  double temperature = 1;  // classes: probabilities = softmax(temperature * outputs)
  Ensemble ensemble = Network();
  const Network& network() const { return ensemble.first(); }  // the only one, or the first
};

// Bounds of values as those of outputs.
ValueRange Standardised(const ValueRange& values, const Scaling& targets);

std::string SerializeModel(const ModelData& model);
// Throws Error naming `source` for anything that is not a whole, consistent model.
ModelData ParseModel(std::string_view bytes, const std::string& source);

// Columns are found by their names, so no two may share one: features that do are found by their
// order, and targets that do have no names.
void SettleNames(Schema& schema);

// Throw Error naming `source` for columns and classes that no model file can hold.
void CheckColumns(const Schema& schema, const std::string& source);
void CheckClasses(const std::vector<std::string>& classes, bool integers,
                  const std::string& source);

// Throws Error naming `source` for values that training never writes and prediction cannot handle.
void CheckModel(const ModelData& model, const std::string& source);

}  // namespace gopnet

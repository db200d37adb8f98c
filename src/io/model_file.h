// A model as a value and as a safetensors file (docs/model_format.md). The file holds everything
// that prediction needs, and nothing of the machine or the run that made it: no path, time, host or
// thread count.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "nn/network.h"

namespace gopnet {

// Column-wise z-score: (x - mean) / scale, cut to +-10; NaN (a blank to fill) becomes 0, the mean.
struct Scaling {
  std::vector<double> mean;
  std::vector<double> scale;
  void Apply(const float* row, float* out) const;
};

struct ModelData {
  std::string algorithm;
  std::map<std::string, std::string> parameters;  // all but threads
  Task task = Task::kClassification;
  std::vector<std::string> classes;
  bool integer_classes = false;
  Schema schema;
  Scaling features;
  Scaling targets;         // regression: values = outputs * scale + mean
  double temperature = 1;  // classes: probabilities = softmax(temperature * outputs)
  Network network;
};

std::string SerializeModel(const ModelData& model);
// Throws Error naming `source` for anything that is not a whole, consistent model.
ModelData ParseModel(std::string_view bytes, const std::string& source);

}  // namespace gopnet

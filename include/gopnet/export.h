// Exports a model to places where gopnet is not installed (docs/reference/exports.md).
#pragma once

#include <string>

#include "gopnet/model.h"

namespace gopnet {

// An ONNX graph (opset 13) from raw features to labels and probabilities, or to values. Computes in
// float32, or in float64 with `double_precision`. Columns far from 0, for which float32 is too
// coarse, are float64 in both. Throws Error if the model exceeds the format's limit of 2 GB.
std::string ExportOnnx(const Model& model, bool double_precision = false);

struct CFiles {
  std::string source, header;
};
// C99 code that needs only math.h and allocates nothing: int PREFIX_predict(const float* x, float*
// out), with double instead of float if a column is far from 0. The source includes `header_name`.
// Throws Error unless `prefix` can begin a C identifier.
CFiles ExportC(const Model& model, const std::string& prefix, const std::string& header_name);

// An HTML page that contains the model and predicts in the browser, offline. It shows columns
// without names as x0, x1, ..., and names the training data if `data_name` is not empty.
std::string ExportHtml(const Model& model, const std::string& data_name = "");

}  // namespace gopnet

// A model for places where gopnet is not installed. docs/reference/exports.md tells how to use each
// kind.
#pragma once

#include <string>

#include "gopnet/model.h"

namespace gopnet {

// ONNX (opset 13) from raw features to labels and probabilities, or to values. float32, or float64
// throughout; numbers far from 0, for which float32 is too coarse, are float64 in both. Throws
// Error if the model does not fit the 2 GB that the format allows.
std::string ExportOnnx(const Model& model, bool double_precision = false);

struct CFiles {
  std::string source, header;
};
// C99 that needs math.h only and allocates nothing: int PREFIX_predict(const float* x, float* out),
// with double instead of float where numbers are far from 0.
// header_name is what the source includes. Throws Error unless `prefix` can begin a name in C.
CFiles ExportC(const Model& model, const std::string& prefix, const std::string& header_name);

// A page that holds the model and predicts in the browser, without a network. A model without
// column names shows x0, x1, ...
std::string ExportHtml(const Model& model);

}  // namespace gopnet

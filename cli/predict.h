// What gopnet predict --json prints.
#pragma once

#include <string>

#include "gopnet/model.h"

namespace gopnet::cli {

// Labels (with `proba` the probabilities too) or values; the path only, if they went to the file
// `out`.
std::string PredictionsJson(const Model& model, const Matrix& predicted, bool proba,
                            const std::string& out);

}  // namespace gopnet::cli

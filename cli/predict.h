// What gopnet predict --json prints.
#pragma once

#include <string>

#include "gopnet/model.h"

namespace gopnet::cli {

// Labels (with `proba` the probabilities too) or values; the path only, if they went to the file
// `out`. ids: of the rows, if they have any.
std::string PredictionsJson(const Model& model, const Matrix& predicted, bool proba,
                            const std::string& out, const std::vector<std::string>& ids = {});

}  // namespace gopnet::cli

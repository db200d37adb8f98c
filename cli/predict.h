// The output of gopnet predict --json.
#pragma once

#include <string>

#include "gopnet/model.h"

namespace gopnet::cli {

// The labels (and probabilities if `proba`) or values, or only the path `out` if they went to that
// file. `ids` holds the ids of the rows, if they have any.
std::string PredictionsJson(const Model& model, const Matrix& predicted, bool proba,
                            const std::string& out, const std::vector<std::string>& ids = {});

}  // namespace gopnet::cli

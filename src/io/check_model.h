// Whether the parts of a model that was read from a file go together.
#pragma once

#include <string>

#include "io/model_file.h"

namespace gopnet {

// Throws Error naming `source` for what no training makes and prediction does not expect.
void CheckModel(const ModelData& model, const std::string& source);

}  // namespace gopnet

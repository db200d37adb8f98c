// Checks of data sets that need no file. All throw Error.
#pragma once

#include <string>

#include "model/model_file.h"

namespace gopnet {

// For messages: where the rows came from or, if that is not known, what they are for.
std::string NameOf(const Dataset& data, const char* role);

// Counts what is not finite or, to train on, too large, and names the first; NaN passes with
// fill_missing.
void CheckFinite(const MatrixView& x, bool fill_missing, const std::string& name,
                 bool any_size = true);
// Rows to train on, or to be used beside those in training.
void CheckData(const Dataset& data, const Dataset& train, const char* role);
// Rows on which a model is to be measured.
void CheckLabelled(const ModelData& model, const Dataset& data, const std::string& name);

}  // namespace gopnet

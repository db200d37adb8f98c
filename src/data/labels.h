// Labels of any form to class indices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/texts.h"
#include "gopnet/dataset.h"

namespace gopnet {

// Sets task, labels, classes (integers in numeric order, text bytewise) and integer_classes.
void SetLabels(const std::vector<int64_t>& labels, Dataset* data);
void SetLabels(const std::vector<std::string>& labels, Dataset* data);
void SetLabels(const Texts& labels, Dataset* data);

}  // namespace gopnet

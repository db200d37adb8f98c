// All algorithms, presets, and the way from named parameters to a checked set of values.
#pragma once

#include "algorithms/algorithm.h"

namespace gopnet {

const std::vector<Algorithm>& AllAlgorithms();
const Algorithm& FindAlgorithm(const std::string& name);  // throws Error naming the nearest

const std::vector<std::string>& PresetNames();

// Preset, then `given` over it; checked. Unknown names, values out of range and contradictions
// throw Error.
Values ResolveValues(const Algorithm& algorithm, const Values& given);

}  // namespace gopnet

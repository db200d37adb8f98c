// Which instruction set the kernels use.
#pragma once

#include <string>
#include <vector>

namespace gopnet {

std::vector<std::string> SupportedSimd();  // lower case, best first: "avx3", "avx2", "sse4", ...
std::string CurrentSimd();
void PinSimd(const std::string& name);  // throws Error for one that this CPU or build lacks

// All that have it give the same bits.
bool HasFusedMultiplyAdd(const std::string& simd);
void CheckCanTrain();  // throws Error if the one in use lacks it

}  // namespace gopnet

// Which instruction set the kernels use.
#pragma once

#include <string>
#include <vector>

namespace gopnet {

std::vector<std::string> SupportedSimd();  // lower case, best first: "avx3", "avx2", "sse4", ...
std::string CurrentSimd();
// Whether it rounds a product and the sum that follows once, which changes the last bits.
bool FusesMultiplyAdd(const std::string& name);
void PinSimd(const std::string& name);  // throws Error for one that this CPU or build lacks

}  // namespace gopnet

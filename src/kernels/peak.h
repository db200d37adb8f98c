// How many arithmetic instructions this CPU really runs per second, at the SIMD target in use: what
// kernels are measured against. One thread.
#pragma once

namespace gopnet {

// Float lanes times instructions per second, the best of many short repeats. Where a target has no
// fused multiply-add, its multiplication and addition count as one.
double FmaPeak();    // fused multiply-adds only
double MixedPeak();  // as many additions as fused multiply-adds: more where adders are separate

}  // namespace gopnet

// The arithmetic that a pair of nodal and pool operator cannot do without, as its kernel does it:
// with the measured peaks of the CPU (kernels/peak.h), a bound on its speed.
#pragma once

namespace gopnet {

// Instructions per register of nodal evaluations. Loads, stores and loop control are not counted.
struct InstructionCount {
  double fma = 0;  // multiply, fused multiply-add, blend, shift
  double add = 0;  // add, max, compare, logic
};

InstructionCount ForwardInstructions(int nodal, int pool);
InstructionCount ForwardDwInstructions(int nodal, int pool);  // and the gradient of the weights

}  // namespace gopnet

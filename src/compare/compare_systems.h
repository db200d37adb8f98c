// Which systems a comparison is of, and with which parameters.
#pragma once

#include "algorithms/algorithm.h"
#include "gopnet/compare.h"

namespace gopnet {

// The systems in the order of the table; throws Error for names and values that are not right.
std::vector<CompareSystem> MakeSystems(const CompareOptions& options);

// Every parameter of the system by name; seed and threads aside, which are not the system's.
Values SystemValues(const CompareSystem& system);

std::vector<unsigned long long> CompareSeeds(const CompareOptions& options);
int RequestedThreads(const CompareOptions& options);  // 0: all cores

// How long a run takes, in no unit: operator sets to try times epochs.
double SystemCost(const CompareSystem& system);

// Whether they name a loss that judges, not accuracy or r2: huber, pinball.
bool ComparesByLoss(const Params& params);

}  // namespace gopnet

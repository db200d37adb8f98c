// The processes that mpirun or srun started together: rank 0 runs the command, the others help.
#pragma once

#include <functional>
#include <string>

#include "cli/text.h"
#include "gopnet/ranks.h"
#include "gopnet/train.h"

namespace gopnet::cli {

// Runs the command, which returns its exit code: here alone, on rank 0 of several, or not at all on
// a rank that helps. Ranks share a command that trains; others run on rank 0 only.
int RunOnRanks(bool trains, const Words& words, const std::function<int()>& command,
               const std::function<int(const std::function<void()>&)>& report);

// "rank 1" on a rank that helps; empty on rank 0 and where there is only one.
std::string ThisRank();

// The ranks of this job, on rank 0; null if there is only one.
Ranks* JobRanks();
// Gives the rows to the other ranks, if there are any.
void ShareWithRanks(const TrainData& data, const Ranks::Source& source);

}  // namespace gopnet::cli

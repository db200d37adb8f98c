// The processes that mpirun or srun started together: rank 0 runs the command, the others help.
#pragma once

#include <functional>
#include <string>

#include "cli/text.h"
#include "gopnet/ranks.h"
#include "gopnet/train.h"

namespace gopnet::cli {

// Runs the command in a single process or on rank 0, and returns its exit code. The other ranks
// help a command that trains and do nothing for the other commands.
int RunOnRanks(bool trains, const Words& words, const std::function<int()>& command,
               const std::function<int(const std::function<void()>&)>& report);

// "rank 1" on a helping rank; empty on rank 0 and in a single process.
std::string ThisRank();

// The ranks of this job, on rank 0; null in a single process.
Ranks* JobRanks();
// Gives the rows to the other ranks, if there are any.
void ShareWithRanks(const TrainData& data, const Ranks::Source& source);

}  // namespace gopnet::cli

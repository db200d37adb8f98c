// How much memory this process may use.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace gopnet {

// The least of what the machine has and of what a container, a batch system (cgroups, old and new)
// or a limit of the process (ulimit -v) leaves to it.
size_t UsableBytes();

// The files that may hold a limit of the process whose /proc/<pid>/cgroup this is: of the container
// around it, and of its groups and all above them.
std::vector<std::string> MemoryLimitFiles(std::istream& groups);

// How many processes of a job share it.
void ShareMemory(int processes);
size_t MemoryShares();

// 80% of the share of this process: what a training may take if nobody says otherwise.
size_t DefaultMemoryLimit();

}  // namespace gopnet

// Memory for matrices that may be larger than what the machine has: beyond a size they lie in a
// file without a name, which the system reads and writes as parts of it are used.
#pragma once

#include <cstddef>
#include <string>

namespace gopnet {

// Where such files go; empty: where the system keeps temporary files. Of the calls of several
// threads the last counts.
void SpillTo(const std::string& folder);

// From how many bytes on: a quarter of the memory that the process may use, or what the environment
// variable GOPNET_SPILL_BYTES says; a share of that if several processes of a job use the machine.
size_t SpillBytes();

// Zeroed. Throws Stopped, naming the folder and the size, if the disk has no room for it.
void* AllocateSpilled(size_t bytes);
void FreeSpilled(void* data, size_t bytes);

}  // namespace gopnet

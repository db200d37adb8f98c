// Whether mpirun or srun started this process together with others, and the library that lets them
// talk to each other.
#pragma once

#include <memory>
#include <string>

#include "search/comm.h"

namespace gopnet {

// How many processes the launcher says it started, by the variables it sets; 1 if there is none.
int LaunchedRanks();
// Of this one among them, by the same variables; 0 if there is none.
int LaunchedRank();

// Loads the library gopnet_mpi and joins the others; to be called by the thread that will use what
// it returns. Throws Error if the library is not there or is one of another version.
std::unique_ptr<Comm> OpenMpi();

}  // namespace gopnet

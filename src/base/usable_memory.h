// How much memory this process may use.
#pragma once

#include <cstddef>

namespace gopnet {

// The least of what the machine has and of what a container, a batch system (cgroups, old and new)
// or a limit of the process (ulimit -v) leaves to it.
size_t UsableBytes();

}  // namespace gopnet

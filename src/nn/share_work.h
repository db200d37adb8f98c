// Works through a batch of candidates with all threads, and with whoever else shares the run.
#pragma once

#include <functional>
#include <vector>

#include "nn/runtime.h"

namespace gopnet {

// Calls work(turn, worker) once for every unit of the batch, the heaviest first, on `threads`
// threads numbered from 0. What is not known yet, `work` does and tells the ledger. Returns when
// all units are finished, wherever; throws Stopped, or what `work` threw.
void ShareWork(Runtime& rt, int threads, const std::vector<WorkKey>& batch,
               const std::function<void(const Turns::Turn& turn, int worker)>& work);

}  // namespace gopnet

// Works through a batch of candidates with all threads, and with whoever else shares the run.
#pragma once

#include <functional>
#include <vector>

#include "train/runtime.h"

namespace gopnet {

// Calls work(item, worker) once for every unit of the batch, the heaviest first, on `threads`
// threads numbered from 0. What is not known yet, `work` does and tells the store. Returns when
// all units are finished, wherever; throws Stopped, or what `work` threw.
void ShareWork(Runtime& rt, int threads, const std::vector<WorkKey>& batch,
               const std::function<void(const WorkQueue::Item& item, int worker)>& work);

}  // namespace gopnet

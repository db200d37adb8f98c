// Runs independent tasks on threads. Results must not depend on which thread runs what.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <thread>

namespace gopnet {

// Calls run(task, worker) once for every task in 0 .. tasks - 1, handing them out first come, first
// served to `threads` workers numbered from 0. If tasks throw, the exception of the lowest is
// rethrown after all workers have stopped; no new task starts once one has thrown.
void ParallelFor(size_t tasks, int threads,
                 const std::function<void(size_t task, int worker)>& run);

// A thread of its own, for what cannot be done without one. Throws Stopped if the system refuses
// it.
std::thread StartThread(std::function<void()> run);

// The number of threads to use: `requested`, or all cores that the process may use if it is 0.
int ThreadCount(int requested);
std::string CoreMask();  // which cores the process may use, as text; equal if they are the same

}  // namespace gopnet

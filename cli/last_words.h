// What the program says should it have to end where no exception can be caught: in a destructor, or
// in a thread. One line and an exit code, as for all that goes wrong: without memory 1, or 3 where
// a run can be resumed; an internal failure is 1.
#pragma once

#include <string>

namespace gopnet::cli {

// Of a command that keeps nothing.
void PrepareLastWords(const std::string& who);
// Of one that trains in this folder, with the command that goes on.
void PrepareLastWordsOfRun(const std::string& folder);

}  // namespace gopnet::cli

// What the program says should it have to end where no exception can be caught: in a destructor, or
// in a thread, for which there is no memory left. One line and an exit code, as for all that goes
// wrong.
#pragma once

#include <string>

namespace gopnet::cli {

// Of a command that keeps nothing: exit code 1.
void PrepareLastWords(const std::string& who);
// Of one that trains in this folder: exit code 3, with the command that goes on.
void PrepareLastWordsOfRun(const std::string& folder);

}  // namespace gopnet::cli

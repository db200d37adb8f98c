// How the program ends before its work is done: by a reason to stop early, or where no exception
// can be caught.
#pragma once

#include <string>

namespace gopnet::cli {

// Reasons to stop: Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 (by which batch systems warn), of which the
// first is noted and the second ends the program at once, and the end of --time-limit.
void CatchInterrupts();
// Before CatchInterrupts, while rows are read: the first signal ends the program with this line and
// exit code 3.
void ExitOnInterrupt(const std::string& last_line);
// From the start of the program; "90", "90s", "30m", "2h", "1h30m", "1.5d". Throws Error, naming
// --time-limit, for anything else. Empty: no limit.
void LimitTime(const std::string& text);
// Until the end of the time limit; 0 without one.
double SecondsLeft();
// "interrupted", or that the time is over; empty as long as there is no reason.
std::string ReasonToStop();

// What the program says should it have to end in a destructor, or in a thread. One line and an exit
// code, as for all that goes wrong: without memory 1, or 3 where a run can be resumed; an internal
// failure is 1. The first is of a command that keeps nothing, the second of one that trains in this
// folder, with the command that goes on. speaker: what the line begins with, "gopnet train".
void PrepareLastWords(const std::string& speaker);
void PrepareLastWordsOfRun(const std::string& folder);
// Of a rank that helps, which does not know the folder: exit code 3.
void PrepareLastWordsOfHelper();

}  // namespace gopnet::cli

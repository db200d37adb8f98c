// Early ends of the program: by a reason to stop, or by an error where no exception can be caught.
#pragma once

#include <string>

namespace gopnet::cli {

// Makes Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 (the warning of batch systems) reasons to stop. The
// first signal is recorded; the second ends the program at once.
void CatchInterrupts();
// For the time before CatchInterrupts, while rows are read: the first signal ends the program with
// this line and exit code 3.
void ExitOnInterrupt(const std::string& last_line);
// Makes the end of a time since the start of the program a reason to stop: "90", "90s", "30m",
// "2h", "1h30m", "1.5d". Empty: no limit. Throws Error, naming --time-limit, for anything else.
void LimitTime(const std::string& text);
// Seconds until the time limit; 0 without one.
double SecondsLeft();
// "interrupted", or that the time limit was reached; empty while there is no reason to stop.
std::string ReasonToStop();

// Prepare the one line that the program prints if an exception ends it in a destructor or a thread.
// Its exit code is 3 if memory ran out and the run can be resumed, otherwise 1.
void PrepareFinalError(const std::string& prefix);  // the line begins with it: "gopnet train"
// For a command that trains in this folder: the line names the command that resumes.
void PrepareFinalErrorOfRun(const std::string& folder);
// For a helping rank, which does not know the folder: exit code 3.
void PrepareFinalErrorOfHelper();

}  // namespace gopnet::cli

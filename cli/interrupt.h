// Reasons to stop early: Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 (by which batch systems warn), of
// which the first is noted and the second ends the program at once, and the end of --time-limit.
#pragma once

#include <string>

namespace gopnet::cli {

void CatchInterrupts();
// Before CatchInterrupts, while rows are read: the first signal ends the program with this line and
// exit code 3.
void ExitOnInterrupt(const std::string& line);
// From the start of the program; "90", "90s", "30m", "2h", "1h30m", "1.5d". Throws Error, naming
// --time-limit, for anything else. Empty: no limit.
void LimitTime(const std::string& text);
// Until the end of the time limit; 0 without one.
double SecondsLeft();
// "interrupted", or that the time is over; empty as long as there is no reason.
std::string ReasonToStop();

}  // namespace gopnet::cli

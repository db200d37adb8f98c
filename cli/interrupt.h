// Ctrl-C and SIGTERM as a wish to stop: the first is noted, the second ends the program at once.
#pragma once

namespace gopnet::cli {

void CatchInterrupts();
bool Interrupted();

}  // namespace gopnet::cli

#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace gopnet::cli {
namespace {

std::atomic<int> interrupted{0};  // lock-free, so a signal handler may write it

void OnSignal(int) {
  if (interrupted != 0) _exit(3);  // what was finished is in the run folder
  interrupted = 1;
}

}  // namespace

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;  // a write in progress goes on
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool Interrupted() { return interrupted != 0; }

}  // namespace gopnet::cli

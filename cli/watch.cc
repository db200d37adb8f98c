// gopnet watch: serves the live page of a run that another process trains.
#include <chrono>
#include <thread>

#include "cli/commands.h"
#include "cli/ending.h"
#include "cli/json.h"
#include "cli/live.h"
#include "cli/run_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

bool IsOver(const std::string& folder) {
  if (HoldsComparison(folder)) return Holds(folder, "table.json");
  return Holds(folder, "model.safetensors") && Holds(folder, "metrics.json");
}

void WaitForTheEnd(const std::string& folder, bool training) {
  while (ReasonToStop().empty()) {
    const bool was_training = training;
    training = IsTraining(folder);  // first, because a run that ends is over before it unlocks
    if (IsOver(folder)) return;
    if (was_training && !training)
      throw Stopped(StoppedMessage("the training stopped before its end", folder));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

}  // namespace

void RunWatch(const Words& words) {
  Args args("watch", "gopnet watch runs/first");
  std::string folder, port;
  args.Positional("RUN", &folder, "The folder of an unfinished run or comparison.");
  args.Option("port", &port, "N", "Port on 127.0.0.1. Default: any free port.");
  if (!args.Parse(words)) return;
  if (!HoldsComparison(folder)) ReadRun(folder);  // throws if there is no run
  if (IsOver(folder))
    Fail("{0}: the run is finished; use gopnet report {0} to write its page", folder);
  CatchInterrupts();
  const LivePage page(folder, port);
  const std::string address = page.address();
  PrintData(args.json() ? JsonText(Json{{"address", address}}) + "\n" : address + "\n");
  if (!args.quiet()) Note("serving " + folder + " until the run ends; press Ctrl-C to stop");
  const bool training = IsTraining(folder);
  if (!training && !args.quiet())
    Note("note: " + StoppedMessage("no process on this machine is training it", folder));
  WaitForTheEnd(folder, training);
}

}  // namespace gopnet::cli

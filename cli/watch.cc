// gopnet watch: the live page of a run that some process trains.
#include <chrono>
#include <thread>

#include "cli/commands.h"
#include "cli/ending.h"
#include "cli/json.h"
#include "cli/live.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

bool IsOver(const std::string& folder) {
  return HoldsComparison(folder) ? Holds(folder, "table.json") : ReadRun(folder).finished;
}

}  // namespace

void RunWatch(const Words& words) {
  Args args("watch", "gopnet watch runs/first");
  std::string folder, port;
  args.Positional("RUN", &folder, "The folder of a run, or of a comparison, that is not finished.");
  args.Option("port", &port, "N", "The port of 127.0.0.1 to serve on. Default: a free one.");
  if (!args.Parse(words)) return;
  if (IsOver(folder)) Fail("{0}: this run is finished; gopnet report {0} writes its page", folder);
  CatchInterrupts();
  const LivePage page(folder, port);
  const std::string address = page.address();
  PrintData(args.json() ? JsonText(Json{{"address", address}}) + "\n" : address + "\n");
  if (!args.quiet()) Note("shows " + folder + " until the run is finished; Ctrl-C ends it");
  while (ReasonToStop().empty() && !IsOver(folder))
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

}  // namespace gopnet::cli
